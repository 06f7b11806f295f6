/** Predicates as functions of facts, kept by their texts: carts are computed far more often than predicates change. */
import { LRUCache } from 'lru-cache';
import type { Matchers } from '../../pricing/cart/stored-discounts.ts';
import type { Predicate } from '../../predicate/ast.ts';
import { compilePredicate } from '../../predicate/compile.ts';
import { parsedOrNever } from '../../predicate/parsed-or-never.ts';
import { parseCartPredicate, parseCustomLineItemPredicate, parseLineItemPredicate } from './predicate.ts';

type Matcher = (facts: object) => boolean;

/** Of each language. */
const keptMax = 10_000;

function compiledBy(parse: (source: string) => Predicate): (source: string) => Matcher {
  const kept = new LRUCache<string, Matcher>({ max: keptMax });
  return (source) => {
    let matcher = kept.get(source);
    if (matcher === undefined) kept.set(source, (matcher = compilePredicate(parsedOrNever(parse, source))));
    return matcher;
  };
}

export const onCarts = compiledBy(parseCartPredicate);

export const cartMatchers: Matchers = {
  onCarts,
  onLineItems: compiledBy(parseLineItemPredicate),
  onCustomLineItems: compiledBy(parseCustomLineItemPredicate),
};
