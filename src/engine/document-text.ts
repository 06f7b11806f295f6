/** The text that is stored of a document, and its limit. */
import { type ApiError, apiError } from '../errors/api-error.ts';
import type { Document } from './document.ts';
import type { Json } from './json.ts';

/** Bytes of one representation (specification section 8). */
const resourceBytesMax = 16 * 1024 * 1024;

/** Lists of so many elements are written one by one. */
const listedMin = 10;

/**
 * What is stored of a document. Of one with a long list it is given up when it is too long to be stored: what a request
 * repeats hundreds of times may have been longer than memory has room for.
 */
export function jsonOf(document: Document): Json {
  if (!Object.values(document).some(isLongList)) return JSON.stringify(document);
  const written = new WrittenParts();
  let before = '{';
  for (const [name, value] of Object.entries(document)) {
    const text = isLongList(value) ? '' : JSON.stringify(value);
    // What has no text is left out, as JSON has it.
    if (text === undefined) continue;
    written.add(`${before}${JSON.stringify(name)}:`);
    if (isLongList(value)) addElements(written, value);
    else written.add(text);
    before = ',';
  }
  written.add('}');
  return written.json();
}

function isLongList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length >= listedMin;
}

function addElements(written: WrittenParts, list: readonly unknown[]): void {
  let before = '[';
  for (const element of list) {
    written.add(before);
    written.add(JSON.stringify(element) ?? 'null');
    before = ',';
  }
  written.add(']');
}

/** Bytes of a document that are written at a time. */
const scratchBytes = 256 * 1024;
/** Bytes of UTF-8 that a unit of UTF-16 takes at most. */
const unitBytesMax = 3;
/** What has fewer bytes is a text as all short documents are. */
const textBytesMax = 16 * 1024;
/** Of the one document that is being written: from its first part to its last nothing is waited for. */
const scratch = Buffer.allocUnsafeSlow(scratchBytes);

/**
 * A long text as its bytes, made of strings that are as long as one value: one of all of it would have memory of its own,
 * whose pages the system has to fetch for each, which took four times as long as all else.
 */
class WrittenParts {
  readonly #parts: Buffer[] = [];
  #used = 0;
  #bytes = 0;

  add(text: string): void {
    if (text.length * unitBytesMax > scratchBytes - this.#used) this.#end();
    if (text.length * unitBytesMax > scratchBytes) this.#keep(Buffer.from(text));
    else this.#used += scratch.write(text, this.#used);
  }

  json(): Json {
    if (this.#parts.length === 0 && this.#used < textBytesMax) return scratch.toString('utf8', 0, this.#used);
    this.#end();
    return this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
  }

  #end(): void {
    if (this.#used > 0) this.#keep(Buffer.from(scratch.subarray(0, this.#used)));
    this.#used = 0;
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > resourceBytesMax) throw tooLarge();
    this.#parts.push(part);
  }
}

/** Throws for the text of a document that is too long to be stored. */
export function requireSize(json: Json): void {
  // To count the bytes of a large document takes a millisecond.
  if (json.length > resourceBytesMax / unitBytesMax && Buffer.byteLength(json) > resourceBytesMax) throw tooLarge();
}

function tooLarge(): ApiError {
  return apiError('ResourceSizeLimitExceeded', `The resource has more than ${resourceBytesMax} bytes.`);
}
