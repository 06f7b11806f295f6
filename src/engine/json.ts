import type { Document } from './define.ts';

/** JSON as text, or as its bytes in UTF-8: what the store gives and nobody changes is passed on without being decoded. */
export type Json = string | Buffer;

/** The resource that a representation is of; every call gives a document that is the caller's own. */
export function documentOf<D = Document>(json: Json): D {
  return JSON.parse(String(json)) as D;
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

/** Bytes that are a part of much more, such as all that came from a socket at once, in memory of their own. */
export function alone(bytes: Buffer): Buffer {
  return bytes.buffer.byteLength > 2 * bytes.length + Buffer.poolSize ? Buffer.from(bytes) : bytes;
}
