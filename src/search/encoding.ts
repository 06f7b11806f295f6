/**
 * An injective mapping of code points into planes that no normalizer or tokenizer of the search engine touches. Every
 * code point becomes one of four UTF-8 bytes, so prefixes stay prefixes, byte-counted typo thresholds are exact, and
 * an encoded text holds no quote, backslash or space that would need escaping in a filter.
 */
export function encode(text: string): string {
  let encoded = '';
  for (const character of text) encoded += String.fromCodePoint(encodedPoint(character.codePointAt(0)!));
  return encoded;
}

export function decode(text: string): string {
  let decoded = '';
  for (const character of text) decoded += String.fromCodePoint(decodedPoint(character.codePointAt(0)!));
  return decoded;
}

/** The first two planes move up to the private ones; the rare rest moves to planes without characters. */
function encodedPoint(point: number): number {
  if (point < 0x20000) return point + 0xf0000;
  if (point < 0xe0000) return point;
  return point < 0xf0000 ? point - 0x80000 : point - 0xb0000;
}

function decodedPoint(point: number): number {
  if (point >= 0xf0000) return point - 0xf0000;
  if (point >= 0x60000 && point < 0x70000) return point + 0x80000;
  return point >= 0x40000 && point < 0x60000 ? point + 0xb0000 : point;
}

/** Facet values are cut at 468 bytes by the search engine. */
export const encodedPointsMax = 117;

export function firstPoints(text: string, count: number): string {
  return [...text].slice(0, count).join('');
}
