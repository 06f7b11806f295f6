import { GraphQLError } from 'graphql';

interface Element<T> {
  readonly value: T;
  readonly given: Promise<T>;
  give(value: T): void;
  drop(error: unknown): void;
}

export interface Giving {
  /** The elements are given one after the other as well. */
  readonly isLong: boolean;
  /** What is waited for before the list is given, and before each element of a long one. */
  before(): Promise<void>;
  /** Hears of so many elements that were given. */
  given(elements: number): void;
}

/**
 * Gives the lists of an answer one after the other. An executor makes all that a list holds as soon as it is given, and of
 * elements that are promises what each of them holds.
 */
export class ListTurns {
  /** When all that wait have been given. */
  #last: Promise<void> = Promise.resolve();

  /** `list` is asked for when it is its turn. Rejects when `before` does. */
  give<T>(list: () => readonly T[], { isLong, before, given }: Giving): Promise<readonly (T | Promise<T>)[]> {
    return new Promise((resolve, reject) => {
      let elements: readonly Element<T>[] = [];
      const giveAll = async (): Promise<void> => {
        await before();
        const values = list();
        if (!isLong) {
          resolve(values);
          given(values.length);
          return madeOfLast;
        }
        elements = values.map(elementOf);
        resolve(elements.map((element) => element.given));
        for (const { value, give } of elements) {
          await madeOfLast;
          await before();
          give(value);
          given(1);
        }
        return madeOfLast;
      };
      this.#last = this.#last.then(giveAll).catch((error: unknown) => {
        const same = withPlace(error);
        reject(same);
        for (const { drop } of elements) drop(same);
      });
    });
  }
}

/** Whoever waits for what was given comes before those who wait for this. */
const madeOfLast = Promise.resolve();

function elementOf<T>(value: T): Element<T> {
  let give!: Element<T>['give'];
  let drop!: Element<T>['drop'];
  const given = new Promise<T>((resolve, reject) => {
    give = resolve;
    drop = reject;
  });
  return { value, given, give, drop };
}

/** An executor passes on errors that have a place. Of each that has none it makes another, which takes far longer. */
export function withPlace(error: unknown): GraphQLError {
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError, path: [] });
}

/** What was thrown, below all errors that were made of it. Undefined for one that an executor found by itself. */
export function thrownOf({ originalError }: GraphQLError): Error | undefined {
  const isMade = originalError instanceof GraphQLError && originalError.originalError !== undefined;
  return isMade ? thrownOf(originalError) : (originalError ?? undefined);
}
