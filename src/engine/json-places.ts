/** Finds objects in the text of a resource, and adds members to them, without parsing it and writing it again. */
import { closingByte, commaByte, endOfString, kinds, openingByte, quoteByte } from './json-scan.ts';

/** An object in a text. */
export interface ObjectPlace {
  /** The index after its opening brace. */
  readonly start: number;
  /** The text that it has at the member that was asked for; undefined without one. */
  readonly named: string | undefined;
}

/** What is looked for at a value: at its members, in the objects of a list, or at the value itself. */
interface Wanted {
  readonly members: Map<string, Wanted>;
  isMeant: boolean;
}

/** Of paths such as `masterData.current.variants[*]`, where lists are known by their brackets. */
export function wantedAt(paths: readonly string[]): Wanted {
  const root: Wanted = { members: new Map(), isMeant: false };
  for (const path of paths) {
    let at = root;
    for (const name of path.replaceAll('[*]', '').split('.')) {
      let next = at.members.get(name);
      if (next === undefined) at.members.set(name, (next = { members: new Map(), isMeant: false }));
      at = next;
    }
    at.isMeant = true;
  }
  return root;
}

/** The objects at such paths, in the order in which they stand in the text of an object. */
export function placesIn(text: Buffer, wanted: Wanted, member: string): readonly ObjectPlace[] {
  const search = new Search(text, member);
  search.value(wanted);
  return search.found;
}

/** The text with members at the beginning of objects that have others. `added` are texts by where objects start, in order. */
export function withMembers(
  text: Buffer,
  added: readonly { readonly start: number; readonly members: string }[],
): Buffer {
  if (added.length === 0) return text;
  const parts: Buffer[] = [];
  let end = 0;
  for (const { start, members } of added) {
    parts.push(text.subarray(end, start), Buffer.from(`${members},`));
    end = start;
  }
  return Buffer.concat([...parts, text.subarray(end)]);
}

const openBrace = 0x7b;
const openBracket = 0x5b;
const colon = 0x3a;
const lastBlank = 0x20;

/** A walk through the text of a stored resource, which is known to be JSON. */
class Search {
  readonly found: ObjectPlace[] = [];
  readonly #text: Buffer;
  readonly #member: string;
  #index = 0;

  constructor(text: Buffer, member: string) {
    this.#text = text;
    this.#member = member;
  }

  /** Goes past the value that follows. */
  value(wanted: Wanted | undefined): void {
    while (this.#isBetween()) this.#index += 1;
    const byte = this.#text[this.#index];
    if (wanted !== undefined && byte === openBrace) this.#object(wanted);
    else if (wanted !== undefined && byte === openBracket) this.#list(wanted);
    else this.#index = endOfValue(this.#text, this.#index);
  }

  #object({ members, isMeant }: Wanted): void {
    const start = (this.#index += 1);
    let named: string | undefined;
    while (this.#hasMore()) {
      const name = this.#string();
      const at = this.#index;
      this.value(members.get(name));
      if (isMeant && name === this.#member) named = textIn(this.#text.toString('utf8', at, this.#index));
    }
    if (isMeant) this.found.push({ start, named });
  }

  #list(wanted: Wanted): void {
    this.#index += 1;
    while (this.#hasMore()) this.value(wanted);
  }

  /** Goes to the next member of an object or list, or past its end. */
  #hasMore(): boolean {
    while (this.#isBetween()) this.#index += 1;
    const isOver = this.#index >= this.#text.length || kinds[this.#text[this.#index]!] === closingByte;
    if (isOver) this.#index += 1;
    return !isOver;
  }

  #isBetween(): boolean {
    const byte = this.#text[this.#index];
    return byte !== undefined && (byte <= lastBlank || byte === colon || kinds[byte] === commaByte);
  }

  /** Goes past the name of a member. Those that are looked for have no other characters. */
  #string(): string {
    const start = this.#index + 1;
    const end = endOfString(this.#text, start);
    this.#index = end + 1;
    return this.#text.toString('latin1', start, end);
  }
}

/** The index after a value that begins here. */
function endOfValue(text: Buffer, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    switch (kinds[text[index]!]) {
      case openingByte:
        depth += 1;
        break;
      case closingByte:
        // A number ends with what it is in.
        if (depth === 0) return index;
        depth -= 1;
        if (depth === 0) return index + 1;
        break;
      case commaByte:
        if (depth === 0) return index;
        break;
      case quoteByte:
        index = endOfString(text, index + 1);
        if (depth === 0) return index + 1;
        break;
    }
  }
  return text.length;
}

/** Of what follows the name of a member. */
function textIn(json: string): string | undefined {
  const value: unknown = JSON.parse(json.replace(/^[\s:]*/, ''));
  return typeof value === 'string' ? value : undefined;
}
