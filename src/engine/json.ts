import { LRUCache } from 'lru-cache';
import type { Document, Fixed } from './document.ts';
import { heavyBytes } from './heavy-turns.ts';

/** JSON as text, or as its bytes in UTF-8: what the store gives and nobody changes is passed on without being decoded. */
export type Json = string | Buffer;

/** The resource that a representation is of; every call gives a document that is the caller's own. */
export function documentOf<D = Document>(json: Json): D {
  const document = JSON.parse(String(json)) as D;
  if (typeof document === 'object' && document !== null) noteLength(document, json.length);
  return document;
}

const lengths = new WeakMap<object, number>();

export function noteLength(document: object, length: number): void {
  if (length > heavyBytes) lengths.set(document, length);
}

/**
 * The length of the text that a document was parsed from, whatever has become of it since, where that took milliseconds;
 * else 0. So nobody who passes a document on has to say how much work it is.
 */
export function lengthOf(document: object): number {
  return lengths.get(document) ?? 0;
}

/** A copy of what was parsed. To parse a large document again takes four times as long, `structuredClone` more than that. */
export function copyOf<V>(value: V): V {
  // Parsed values are lists, plain objects and what cannot be changed.
  return copied(value) as V;
}

function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copied);
  // What is spread has its members as its own, `__proto__` as well, so that this changes none but a member either.
  const copy: Record<string, unknown> = { ...value };
  for (const name in copy) {
    const member = copy[name];
    if (typeof member === 'object' && member !== null) copy[name] = copied(member);
  }
  return copy;
}

/**
 * Whether two parsed values are the same. `isDeepStrictEqual`, which knows other values as well, takes four times as long;
 * members may have any name, those of the prototypes of objects too, which the libraries for this do not take. A zero is
 * the same with and without a sign, which is not written.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, index) => isSameJson(value, other[index]));
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(other, name) &&
      isSameJson((one as Readonly<Record<string, unknown>>)[name], (other as Readonly<Record<string, unknown>>)[name]),
  );
}

/** Bytes of what is kept parsed: as objects they take some six times as much. */
const parsedBytesMax = 16 * 1024 * 1024;
const parsed = new LRUCache<Buffer, Fixed<Document>>({
  maxSize: parsedBytesMax,
  sizeCalculation: (_, { length }) => Math.max(1, length),
});

/** The same, shared by all who have these very bytes, such as an answer that is kept, so that nobody may change it. */
export function sharedDocumentOf(json: Buffer): Fixed<Document> {
  const known = parsed.get(json);
  if (known !== undefined) return known;
  const document = documentOf<Fixed<Document>>(json);
  parsed.set(json, document);
  return document;
}

/** Parts of one text, put together. */
export function concat(parts: readonly Json[]): Json {
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/** The members of an array. */
export function commaSeparated(values: readonly Json[]): readonly Json[] {
  return values.flatMap((value, index) => (index === 0 ? [value] : [',', value]));
}

/** The bytes in memory of their own: what came from a socket at once is kept as a whole for any part of it. */
export function alone(bytes: Uint8Array): Buffer {
  if (bytes.byteLength === bytes.buffer.byteLength) return Buffer.from(bytes.buffer);
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength);
  copy.set(bytes);
  return copy;
}
