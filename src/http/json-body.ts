/** JSON bodies: the one place where what clients send becomes values. What cannot be kept as it was sent is refused. */
import { isUtf8 } from 'node:buffer';
import { apiError } from '../errors/api-error.ts';

/** Arrays and objects within each other. What reads values later calls itself once for each, and has a bounded stack. */
export const jsonDepthMax = 64;
/** Digits of a number; one with more is looked at. */
const harmlessDigitsMax = 200;
const shownMax = 40;

/**
 * The value of a JSON body. A member that is named twice has its last value, as JSON.parse has it, and one that is named
 * `__proto__` is a member like others. Throws InvalidJsonInput for a text that is no UTF-8, for arrays and objects deeper
 * than `jsonDepthMax`, and for numbers that are too large to be kept, which would be null when they are written again.
 */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw invalidJson('The body is not encoded in UTF-8.');
  const text = body.toString('utf8');
  if (!isSurelyShallow(text) || LARGE_NUMBER.test(text)) requireBounded(body);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidJson(error instanceof Error ? error.message : 'The body cannot be parsed.');
  }
}

function invalidJson(detailedErrorMessage: string): Error {
  return apiError('InvalidJsonInput', 'The request body does not contain valid JSON.', { detailedErrorMessage });
}

/** What may be a number beyond those that there are: an exponent of three digits, or very many digits. */
const LARGE_NUMBER = new RegExp(`\\d[eE]\\+?\\d{3}|(?<!\\d)\\d{${harmlessDigitsMax}}`);

/** Most bodies open no more than `jsonDepthMax` brackets in all. Finding these costs a tenth of what the scan does. */
function isSurelyShallow(text: string): boolean {
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let index = text.indexOf(bracket); index >= 0; index = text.indexOf(bracket, index + 1)) {
      count += 1;
      if (count > jsonDepthMax) return false;
    }
  }
  return true;
}

/** What a byte outside of a string begins or ends; 0 for all others. */
const openingByte = 1;
const closingByte = 2;
const quoteByte = 3;
const digitByte = 4;
const kinds = new Uint8Array(256);
for (const [characters, kind] of [
  ['{[', openingByte],
  ['}]', closingByte],
  ['"', quoteByte],
  ['0123456789', digitByte],
] as const) {
  for (const byte of Buffer.from(characters)) kinds[byte] = kind;
}

/** A scan that knows strings, brackets and numbers; whether the text is JSON at all is found afterwards. */
function requireBounded(body: Buffer): void {
  let depth = 0;
  for (let index = 0; index < body.length; index += 1) {
    switch (kinds[body[index]!]) {
      case openingByte:
        depth += 1;
        if (depth > jsonDepthMax) throw invalidJson(`Arrays and objects are more than ${jsonDepthMax} levels deep.`);
        break;
      case closingByte:
        depth -= 1;
        break;
      case quoteByte:
        index = endOfString(body, index + 1);
        break;
      case digitByte:
        index = endOfNumber(body, index) - 1;
        break;
    }
  }
}

const quote = 0x22;
const backslash = 0x5c;
/** Most strings end within these bytes, which are sooner looked at one by one than searched. */
const nearBytes = 24;

/** The index of the quote that ends a string, or where the body ends. */
export function endOfString(body: Buffer, start: number): number {
  const far = Math.min(start + nearBytes, body.length);
  let index = start;
  for (; index < far; index += 1) {
    const byte = body[index];
    if (byte === quote) return index;
    if (byte === backslash) index += 1;
  }
  for (;;) {
    const end = body.indexOf(quote, index);
    if (end < 0) return body.length;
    let first = end;
    while (first > index && body[first - 1] === backslash) first -= 1;
    if ((end - first) % 2 === 0) return end;
    index = end + 1;
  }
}

/** The index after a number. Throws InvalidJsonInput for one that is beyond those that there are. */
function endOfNumber(body: Buffer, start: number): number {
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
