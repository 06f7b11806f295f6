import { LRUCache } from 'lru-cache';
import type { Document, Fixed } from './document.ts';

/** JSON as text, or as its bytes in UTF-8: what the store gives and nobody changes is passed on without being decoded. */
export type Json = string | Buffer;

/** The resource that a representation is of; every call gives a document that is the caller's own. */
export function documentOf<D = Document>(json: Json): D {
  return JSON.parse(String(json)) as D;
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
