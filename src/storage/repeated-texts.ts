import { LRUCache } from 'lru-cache';

/** Each is kept by every connection of this process for as long as it lives. */
const repeatedMax = 200;
const onceMax = 1000;
/** Longer texts are hardly sent twice. */
const lengthMax = 10_000;

/**
 * Tells which texts of statements come again and again, such as those of a storefront's queries, from those that may not
 * come twice: preparing a statement saves most of its planning, but the database never forgets it. A project may have as
 * many as it leaves to the others: one alone takes half of the places, the next one half of the rest, as long as there
 * are any.
 */
export class RepeatedTexts {
  readonly #repeated = new Set<string>();
  /** Of the repeated ones, by the project that took the place. */
  readonly #counts = new Map<string, number>();
  readonly #once = new LRUCache<string, true>({ max: onceMax });

  /** Notes that this text is sent for a project, and says whether it was sent before. */
  add(text: string, project: string): boolean {
    if (this.#repeated.has(text)) return true;
    const own = this.#counts.get(project) ?? 0;
    if (text.length > lengthMax || own >= repeatedMax - this.#repeated.size) return false;
    if (!this.#once.delete(text)) {
      this.#once.set(text, true);
      return false;
    }
    this.#repeated.add(text);
    this.#counts.set(project, own + 1);
    return true;
  }
}
