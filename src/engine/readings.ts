import type { Document, Fixed } from './document.ts';
import { documentOf } from './json.ts';
import type { Collection, Found } from './resource.ts';
import type { Stored, UniqueLookup } from './store.ts';

/** What several requests read together, each of which may look at it. */
const parsed = new WeakMap<Stored, Fixed<Document>>();

function parsedOf(stored: Stored): Fixed<Document> {
  let document = parsed.get(stored);
  if (document === undefined) parsed.set(stored, (document = documentOf<Fixed<Document>>(stored.json)));
  return document;
}

/** One for all, for they are compared by what they are. */
const noWholes: Collection['documents'] = new Map();

/** What was read for a request: each resource is parsed when it is asked for, and belongs to nobody. */
export class Readings implements Found {
  /** Before anything was read. */
  readonly beganAtMs = performance.now();
  readonly #stored = new Map<string, Stored>();
  readonly #parsed = new Map<string, Fixed<Document>>();
  readonly #holders = new Map<string, string>();
  readonly #sought = new Set<string>();
  #wholes = noWholes;

  add(kind: string, stored: Stored): void {
    this.#stored.set(nameOf(kind, stored.id), stored);
  }

  /** What is kept parsed, and belongs to nobody. */
  addParsed(kind: string, document: Fixed<Document>): void {
    this.#parsed.set(nameOf(kind, document.id), document);
  }

  addHolder({ kind, unique }: UniqueLookup, stored: Stored): void {
    this.add(kind, stored);
    this.#holders.set(holderName(kind, unique.field, unique.value), stored.id);
  }

  /** Whoever holds these values is added, if anybody does. */
  addSought(lookups: readonly UniqueLookup[]): void {
    for (const { kind, unique } of lookups) this.#sought.add(holderName(kind, unique.field, unique.value));
  }

  addWholes(wholes: Collection['documents']): void {
    this.#wholes = wholes;
  }

  /** Whether others have all that is here, at the same versions. */
  isPartOf(others: Readings): boolean {
    if (this.#wholes !== others.#wholes) return false;
    for (const [name, { version }] of [...this.#stored, ...this.#parsed])
      if (version !== (others.#parsed.get(name) ?? others.#stored.get(name))?.version) return false;
    return true;
  }

  has(kind: string, id: string): boolean {
    const name = nameOf(kind, id);
    return this.#stored.has(name) || this.#parsed.has(name);
  }

  one(kind: string, id: string): Fixed<Document> | undefined {
    const name = nameOf(kind, id);
    const known = this.#parsed.get(name);
    const stored = this.#stored.get(name);
    if (known !== undefined || stored === undefined) return known;
    const document = parsedOf(stored);
    this.#parsed.set(name, document);
    return document;
  }

  holder(kind: string, field: string, value: string): Fixed<Document> | undefined {
    const id = this.#holders.get(holderName(kind, field, value));
    return id === undefined ? undefined : this.one(kind, id);
  }

  hasSought(kind: string, field: string, value: string): boolean {
    return this.#sought.has(holderName(kind, field, value));
  }

  all(kind: string): readonly Fixed<Document>[] {
    const whole = this.#wholes.get(kind);
    if (whole === undefined) throw new Error(`The declaration does not say that it needs all of ${kind}`);
    return whole;
  }
}

/** Ids are written in any case. */
function nameOf(kind: string, id: string): string {
  return `${kind}/${id.toLowerCase()}`;
}

function holderName(kind: string, field: string, value: string): string {
  return JSON.stringify([kind, field, value]);
}
