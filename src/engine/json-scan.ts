/** What can be told of the bytes of a JSON text without parsing it. */
import { isUtf8 } from 'node:buffer';
import { apiError } from '../errors/api-error.ts';

/** Arrays and objects within each other. What reads values later calls itself once for each, and has a bounded stack. */
export const jsonDepthMax = 64;
const shownMax = 40;

export function invalidJson(detailedErrorMessage: string): Error {
  return apiError('InvalidJsonInput', 'The request body does not contain valid JSON.', { detailedErrorMessage });
}

export function requireUtf8(body: Buffer): void {
  if (!isUtf8(body)) throw invalidJson('The body is not encoded in UTF-8.');
}

export function tooDeep(): Error {
  return invalidJson(`Arrays and objects are more than ${jsonDepthMax} levels deep.`);
}

/** What a byte outside of a string begins or ends; 0 for all others. */
export const openingByte = 1;
export const closingByte = 2;
export const quoteByte = 3;
export const digitByte = 4;
export const commaByte = 5;
/** By byte. */
export const kinds = new Uint8Array(256);
for (const [characters, kind] of [
  ['{[', openingByte],
  ['}]', closingByte],
  ['"', quoteByte],
  ['0123456789', digitByte],
  [',', commaByte],
] as const) {
  for (const byte of Buffer.from(characters)) kinds[byte] = kind;
}

const quote = 0x22;
const backslash = 0x5c;
/** Most strings end within these bytes, which are sooner looked at one by one than searched. */
const nearBytes = 24;

/** The index of the quote that ends a string, or where the body ends. */
export function endOfString(body: Buffer, start: number): number {
  let index = start;
  for (;;) {
    const far = Math.min(index + nearBytes, body.length);
    for (; index < far; index += 1) {
      const byte = body[index];
      if (byte === quote) return index;
      if (byte === backslash) index += 1;
    }
    const end = body.indexOf(quote, index);
    if (end < 0) return body.length;
    let first = end;
    while (first > index && body[first - 1] === backslash) first -= 1;
    if ((end - first) % 2 === 0) return end;
    // Where there is an escape there are more, which are sooner looked at one by one as well.
    index = end + 1;
  }
}

/** The index after a number. Throws InvalidJsonInput for one that is beyond those that there are. */
export function endOfNumber(body: Buffer, start: number): number {
  let end = start + 1;
  while (end < body.length && isOfNumber(body[end]!)) end += 1;
  const text = body.toString('latin1', start, end);
  if (Number(text) !== Infinity) return end;
  const shown = text.length <= shownMax ? text : `${text.slice(0, shownMax)}…`;
  throw invalidJson(`The number ${shown} is larger than numbers can be.`);
}

/** Digits, the point, signs, and the letter of an exponent. */
function isOfNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x2b || byte === 0x2d || (byte | 0x20) === 0x65;
}
