import { withPlace } from './execution-errors.ts';

interface Element<T> {
  readonly value: T;
  readonly given: Promise<T>;
  give(value: T): void;
  drop(error: unknown): void;
}

export interface Giving {
  /** The elements are given one after the other as well. */
  readonly isLong: boolean;
  /**
   * What is waited for before the list is given, and before each element of a long one. An executor makes meanwhile, however
   * short that is, what was given last.
   */
  before(): Promise<void>;
  /** Hears of so many elements that were given. */
  onGiven(elements: number): void;
}

/**
 * Gives the lists of an answer one after the other. An executor makes all that a list holds as soon as it is given, and of
 * elements that are promises what each of them holds.
 */
export class ListTurns {
  /** When all that wait have been given. */
  #last: Promise<void> = Promise.resolve();

  /** `list` is asked for when it is its turn. Rejects when `before` does. */
  give<T>(list: () => readonly T[], { isLong, before, onGiven }: Giving): Promise<readonly (T | Promise<T>)[]> {
    return new Promise((resolve, reject) => {
      let elements: readonly Element<T>[] = [];
      const giveAll = async (): Promise<void> => {
        await before();
        const values = list();
        if (!isLong) {
          resolve(values);
          onGiven(values.length);
          return;
        }
        elements = values.map(elementOf);
        resolve(elements.map(({ given }) => given));
        for (const { value, give } of elements) {
          await before();
          give(value);
          onGiven(1);
        }
      };
      this.#last = this.#last.then(giveAll).catch((error: unknown) => {
        const same = withPlace(error);
        reject(same);
        for (const { drop } of elements) drop(same);
      });
    });
  }
}

function elementOf<T>(value: T): Element<T> {
  let give!: Element<T>['give'];
  let drop!: Element<T>['drop'];
  const given = new Promise<T>((resolve, reject) => {
    give = resolve;
    drop = reject;
  });
  return { value, given, give, drop };
}
