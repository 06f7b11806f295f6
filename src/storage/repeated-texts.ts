import { LRUCache } from 'lru-cache';

/** Each is kept by every connection of this process for as long as it lives. */
const repeatedMax = 100;
const onceMax = 1000;
/** Longer texts are hardly sent twice. */
const lengthMax = 10_000;

/**
 * Tells which texts of statements come again and again, such as those of a storefront's queries, from those that may not
 * come twice: preparing a statement saves most of its planning, but the database never forgets it.
 */
export class RepeatedTexts {
  readonly #repeated = new Set<string>();
  readonly #once = new LRUCache<string, true>({ max: onceMax });

  /** Notes that this text is sent, and says whether it was sent before. */
  add(text: string): boolean {
    if (this.#repeated.has(text)) return true;
    if (text.length > lengthMax || this.#repeated.size === repeatedMax) return false;
    if (!this.#once.delete(text)) {
      this.#once.set(text, true);
      return false;
    }
    this.#repeated.add(text);
    return true;
  }
}
