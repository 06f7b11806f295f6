/**
 * JSON bodies: the one place where what clients send, and what servers answer that projects name, becomes values. What
 * cannot be kept as it was sent is refused.
 */
import {
  closingByte,
  digitByte,
  endOfNumber,
  endOfString,
  invalidJson,
  jsonDepthMax,
  kinds,
  openingByte,
  quoteByte,
  requireUtf8,
  tooDeep,
} from './json-scan.ts';

/** Bytes of bodies that take the event loop for no more than a few milliseconds. */
export const smallBytesMax = 256 * 1024;
/** Digits of a number; one with more is looked at. */
const harmlessDigitsMax = 200;

/**
 * The value of a JSON body. A member that is named twice has its last value, as JSON.parse has it, and one that is named
 * `__proto__` is a member like others. Throws InvalidJsonInput for a text that is no UTF-8, for arrays and objects deeper
 * than `jsonDepthMax`, and for numbers that are too large to be kept, which would be null when they are written again.
 */
export function parseJson(body: Buffer): unknown {
  requireUtf8(body);
  const text = body.toString('utf8');
  if (!isSurelyShallow(text) || LARGE_NUMBER.test(text)) requireBounded(body);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidJson(error instanceof Error ? error.message : 'The body cannot be parsed.');
  }
}

/** What may be a number beyond those that there are: an exponent of three digits, or very many digits. */
const LARGE_NUMBER = new RegExp(`\\d[eE]\\+?\\d{3}|(?<!\\d)\\d{${harmlessDigitsMax}}`);

/** Most bodies open no more than `jsonDepthMax` brackets in all. Finding these costs less than half of the scan. */
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

/** A scan that knows strings, brackets and numbers; whether the text is JSON at all is found afterwards. */
function requireBounded(body: Buffer): void {
  let depth = 0;
  for (let index = 0; index < body.length; index += 1) {
    switch (kinds[body[index]!]) {
      case openingByte:
        depth += 1;
        if (depth > jsonDepthMax) throw tooDeep();
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

const byteOrderMark = Buffer.from('\uFEFF');

/** Some editors and shells put a mark before a text, which says nothing in UTF-8 (RFC 8259, section 8.1). */
export function withoutMark(body: Buffer): Buffer {
  return body.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? body.subarray(byteOrderMark.length) : body;
}
