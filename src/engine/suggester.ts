import type { Requester } from './context.ts';

/** Texts for each locale that a request may ask for, and that it gets without; and inputs of a request. */
export const suggestLimits = { default: 10, max: 100, inputsMax: 10 };

export interface SuggestRequest {
  /** Asks for suggestions of its project; a request of GraphQL may do so several times. */
  readonly request: Requester;
  /** Inputs by locale; an answer for a locale is the union over its inputs. */
  readonly searchKeywords: ReadonlyMap<string, readonly string[]>;
  readonly isFuzzy: boolean;
  /** Texts for each locale; the default when undefined. */
  readonly limit: number | undefined;
  /** Looks at the staged projections of products instead of the current ones. */
  readonly isStaged: boolean;
}

/** Texts by the locales that were asked for. */
export type Suggestions = ReadonlyMap<string, readonly string[]>;

export interface Suggester {
  /**
   * Throws InvalidInput for what is wrong with the request, SearchExecutionFailure when the search engine fails, and
   * OverCapacity where its client or its project has asked for too much.
   */
  suggest(request: SuggestRequest): Promise<Suggestions>;
  close(): Promise<void>;
}
