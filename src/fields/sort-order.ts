/** Decimals between 0 and 1, kept as texts, by which clients put what they have into an order. */
import { randomInt } from 'node:crypto';
import { type FieldKind, refined, sameSchema } from './field.ts';
import { text } from './scalar.ts';

/** Digits after the point, of values that are stored and of those that searches ask for. */
export const decimalDigitsMax = 100;

/** What does not end in 0. */
export const sortOrderPattern = `^0\\.\\d{0,${decimalDigitsMax - 1}}[1-9]$`;
const orderHintPattern = `^0\\.(?=\\d*[1-9])\\d{1,${decimalDigitsMax}}$`;
const SORT_ORDER = new RegExp(sortOrderPattern);
const ORDER_HINT = new RegExp(orderHintPattern);

function decimalText(pattern: string): FieldKind<string> {
  return { ...text(['0.5']), schema: sameSchema({ type: 'string', pattern }) };
}

/** A decimal between 0 and 1 that does not end in 0, so that two different texts are two different numbers. */
export function sortOrder(): FieldKind<string> {
  return refined(decimalText(sortOrderPattern), (order, parsing) => {
    return SORT_ORDER.test(order)
      ? order
      : parsing.wrongValue(
          order,
          `a decimal between 0 and 1 of at most ${decimalDigitsMax} digits, such as 0.37, that does not end in 0`,
        );
  });
}

/** A decimal between 0 and 1, which several may have. */
export function orderHint(): FieldKind<string> {
  return refined(decimalText(orderHintPattern), (hint, parsing) => {
    return ORDER_HINT.test(hint)
      ? hint
      : parsing.wrongValue(hint, `a decimal between 0 and 1 of at most ${decimalDigitsMax} digits, such as 0.37`);
  });
}

const digits = 10 ** 14;

/** An order for what says none; random ones do not meet. */
export function anySortOrder(): string {
  return `0.${String(randomInt(digits)).padStart(14, '0')}1`;
}
