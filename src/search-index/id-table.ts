/** Slots for each entry, so that a search for an id that is not there mostly ends at the first. */
const slotsPerEntry = 2;

/** Finds places by ids, outside of the heap: a table of hashes, in which what finds no free slot takes the next one. */
export class IdTable {
  /** Of each slot the hash of an id, and its place plus one; 0 where the slot is free. */
  readonly #hashes: Uint32Array;
  readonly #places: Uint32Array;

  /** An id may be at several places. */
  constructor(ids: readonly string[]) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(1, ids.length) * slotsPerEntry));
    this.#hashes = new Uint32Array(size);
    this.#places = new Uint32Array(size);
    for (const [place, id] of ids.entries()) {
      const hash = hashOf(id);
      let slot = hash & (size - 1);
      while (this.#places[slot] !== 0) slot = (slot + 1) & (size - 1);
      this.#hashes[slot] = hash;
      this.#places[slot] = place + 1;
    }
  }

  get bytes(): number {
    return this.#hashes.byteLength + this.#places.byteLength;
  }

  /** The places of an id, and now and then that of another with the same hash. */
  placesOf(id: string): readonly number[] {
    const last = this.#places.length - 1;
    const hash = hashOf(id);
    const found: number[] = [];
    for (let slot = hash & last; this.#places[slot] !== 0; slot = (slot + 1) & last)
      if (this.#hashes[slot] === hash) found.push(this.#places[slot]! - 1);
    return found;
  }
}

/** FNV-1a of UTF-16 units. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
