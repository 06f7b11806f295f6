import { versioned } from '../../engine/document.ts';
import type { Fields } from '../../fields/field.ts';
import { reference } from '../../fields/reference.ts';
import { currency } from '../../fields/scalar.ts';
import type { Predicate } from '../../predicate/ast.ts';
import { movedPredicate } from '../../predicate/move.ts';
import { parsePredicate } from '../../predicate/parser.ts';
import type { Aggregate, ObjectShape, Shape } from '../../predicate/shape.ts';
import { customLineItemFields, fields } from './fields.ts';

const text: Shape = { class: 'text' };
const dynamic: Shape = { class: 'dynamic' };

function shapesOf(declared: Fields): readonly (readonly [string, Shape])[] {
  return Object.entries(declared).map(([name, { kind }]) => [name, spokenOf(kind.shape)]);
}

/**
 * How predicates speak of a member: of references by id and by key, whichever the cart has, and of custom fields by their
 * names, whatever their type says.
 */
function spokenOf(shape: Shape): Shape {
  if (shape.class === 'list') return { ...shape, item: spokenOf(shape.item) };
  if (shape.class !== 'object') return shape;
  if (shape.fields.has('type') && shape.fields.has('fields')) return dynamic;
  const fields = new Map([...shape.fields].map(([name, member]) => [name, spokenOf(member)]));
  return { ...shape, fields: fields.has('typeId') ? fields.set('id', text).set('key', text) : fields };
}

/** `custom.vip`, as predicates have it, is `custom.fields.vip` in what is stored; the type is beside the fields. */
function storedAt(name: string): readonly string[] {
  return name === 'type' || name === 'fields' ? [name] : ['fields', name];
}

/** Statements about custom fields as statements about where these are stored. */
function aboutStored(predicate: Predicate): Predicate {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return { ...predicate, operands: predicate.operands.map(aboutStored) };
    case 'not':
      return { ...predicate, operand: aboutStored(predicate.operand) };
    case 'aggregate':
      return { ...predicate, where: aboutStored(predicate.where) };
    case 'field': {
      const { name, test } = predicate;
      if (test.kind !== 'group') return predicate;
      const about = name === 'custom' ? movedPredicate(test.predicate, storedAt) : aboutStored(test.predicate);
      return { ...predicate, test: { ...test, predicate: about } };
    }
    case 'constant':
      return predicate;
  }
}

const customLineItem: ObjectShape = { class: 'object', fields: new Map(shapesOf(customLineItemFields)) };
/** Line items have members that carts of this version have not, so statements about them are not checked. */
const lineItem = dynamic;

/** What predicates may ask of a list of the cart: how many there are, what they cost, and whether any or all fit. */
function aggregatesOf(item: Shape, list: string, noun: string): readonly (readonly [string, Aggregate])[] {
  const first = noun[0]!.toLowerCase() + noun.slice(1);
  return [
    [`${first}Count`, { gives: 'count', list, item }],
    [`${first}Total`, { gives: 'total', list, item }],
    [`${first}Exists`, { gives: 'exists', list, item }],
    [`forAll${noun}s`, { gives: 'forAll', list, item }],
  ];
}

/** All that a cart holds, its currency by a name of its own, and what carts of later versions hold. */
const cart: ObjectShape = {
  class: 'object',
  fields: new Map<string, Shape>([
    ...shapesOf({ ...versioned, ...fields }),
    ['currency', currency().shape],
    ['customerGroup', spokenOf(reference('customer-group', 'CustomerGroup').shape)],
  ]),
  aggregates: new Map([
    ...aggregatesOf(customLineItem, 'customLineItems', 'CustomLineItem'),
    ...aggregatesOf(lineItem, 'lineItems', 'LineItem'),
  ]),
};

/** Parses a cart predicate; amounts may be written as `"10.50 EUR"`. Throws like parsePredicate. */
export function parseCartPredicate(source: string): Predicate {
  return aboutStored(parsePredicate(source, cart));
}

/** Parses a predicate on a line item or a custom line item, such as the target of a discount. */
export function parseItemPredicate(source: string): Predicate {
  return aboutStored(parsePredicate(source, lineItem));
}
