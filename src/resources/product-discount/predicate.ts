/** What product discounts say of the variants and prices that they are for. */
import type { Reference } from '../../fields/parsing.ts';
import { sayingAbsence } from '../../predicate/absence.ts';
import type { Predicate, Test } from '../../predicate/ast.ts';
import { parsePredicate } from '../../predicate/parser.ts';
import type { ObjectShape, Shape } from '../../predicate/shape.ts';

const text: Shape = { class: 'text' };
const number: Shape = { class: 'number' };
const texts: Shape = { class: 'list', item: text };

function shapeOf(fields: Readonly<Record<string, Shape>>): ObjectShape {
  return { class: 'object', fields: new Map(Object.entries(fields)) };
}

const named = shapeOf({ id: text, key: text });
/** Of several resources at once: `categories.id contains any ("…", "…")`. */
const namedTogether = shapeOf({ id: texts, key: texts });

const ofPrice = {
  amount: number,
  centAmount: number,
  currency: text,
  country: text,
  customerGroup: named,
  channel: named,
};

/** What predicates say of the price itself. All else is the same for all prices of a variant. */
export const priceMembers: ReadonlySet<string> = new Set(['price', ...Object.keys(ofPrice)]);

/** Each attribute is a member of it. */
export const attributesMember = 'attributes';

/** Whether a variant may have several values of the member. */
export function mayBeMany(name: string): boolean {
  return name.startsWith(attributesMember) || name.startsWith('categories');
}

const subject = shapeOf({
  product: named,
  productType: named,
  variant: shapeOf({ id: number, key: text }),
  variantId: number,
  sku: text,
  // What attributes there are, product types say.
  [attributesMember]: { class: 'dynamic' },
  price: { class: 'money', fields: new Map(Object.entries(ofPrice)) },
  ...ofPrice,
  categories: namedTogether,
  categoriesWithAncestors: namedTogether,
});

/** Parses the predicate of a product discount. Throws like parsePredicate. */
export function parseProductPredicate(source: string): Predicate {
  return sayingAbsence(parsePredicate(source, subject));
}

const kinds: ReadonlyMap<string, string> = new Map([
  ['product', 'product'],
  ['productType', 'product-type'],
  ['customerGroup', 'customer-group'],
  ['channel', 'channel'],
  ['categories', 'category'],
  ['categoriesWithAncestors', 'category'],
]);

/** The resources that a predicate names by their ids, each once. */
export function referencesIn(predicate: Predicate): Reference[] {
  const found = new Map<string, Reference>();
  collect(predicate, undefined, (reference) => found.set(`${reference.typeId} ${reference.id}`, reference));
  return [...found.values()];
}

/** `typeId` is the kind of what the predicate speaks of. */
function collect(predicate: Predicate, typeId: string | undefined, visit: (reference: Reference) => void): void {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      for (const operand of predicate.operands) collect(operand, typeId, visit);
      return;
    case 'not':
      collect(predicate.operand, typeId, visit);
      return;
    case 'field': {
      const { name, test } = predicate;
      if (test.kind !== 'group') {
        if (name === 'id' && typeId !== undefined) for (const id of idsIn(test)) visit({ typeId, id });
      } else if (name !== attributesMember) collect(test.predicate, kinds.get(name), visit);
      return;
    }
    case 'aggregate':
    case 'constant':
      return;
  }
}

function idsIn(test: Test): readonly string[] {
  const literals = test.kind === 'compare' ? [test.literal] : 'literals' in test ? test.literals : [];
  return literals.filter((literal) => typeof literal === 'string');
}
