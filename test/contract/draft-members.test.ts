/** No member of a draft is lost without a word: each that the contract has is declared, or refused by name. */
import t from 'tap';
import type { JsonSchema } from '../../src/fields/field.ts';
import { isObject, objectSchema } from '../../src/fields/object.ts';
import { allResources } from '../../src/resources/all.ts';
import { draftMembers } from './draft-members.ts';
import { contractResources } from '../support/contract-kinds.ts';

/** Members of forms that are refused by their tag, and what answers alone have. */
const excused: Readonly<Record<string, readonly string[]>> = {
  cart: [
    'lineItems.externalTotalPrice.totalPrice.preciseAmount',
    'customShipping.shippingRate.price.preciseAmount',
    'customShipping.shippingRate.freeAbove.preciseAmount',
    'customShipping.shippingRate.tiers.price.preciseAmount',
    'customShipping.shippingRate.tiers.isMatching',
  ],
  'cart-discount': ['recurringOrderScope.recurrencePolicies'],
  payment: ['amountPlanned.preciseAmount', 'transactions.amount.preciseAmount'],
  'shipping-method': [
    'zoneRates.shippingRates.price.preciseAmount',
    'zoneRates.shippingRates.freeAbove.preciseAmount',
    'zoneRates.shippingRates.tiers.price.preciseAmount',
    'zoneRates.shippingRates.tiers.isMatching',
  ],
};

interface Member {
  readonly name: string;
  readonly members: Member[];
}

/** `a b(c d)` as members. */
function membersOf(text: string): readonly Member[] {
  const root: Member = { name: '', members: [] };
  const open = [root];
  for (const [token] of text.matchAll(/[\w]+|[()]/g)) {
    const holder = open.at(-1)!;
    if (token === '(') open.push(holder.members.at(-1)!);
    else if (token === ')') open.pop();
    else holder.members.push({ name: token, members: [] });
  }
  return root.members;
}

/** The schemas of the objects that a value of this schema may be, or may hold in a list. */
function objectsIn(schema: unknown): readonly JsonSchema[] {
  if (!isObject(schema)) return [];
  const { anyOf, oneOf, items, properties } = schema;
  if (isObject(properties)) return [schema];
  const forms = [anyOf, oneOf].flatMap((given) => (Array.isArray(given) ? (given as unknown[]) : []));
  return [...forms.flatMap(objectsIn), ...objectsIn(items)];
}

/** Paths of members that no schema declares. */
function lost(members: readonly Member[], schemas: readonly JsonSchema[], path: string): readonly string[] {
  return members.flatMap(({ name, members: below }) => {
    const declared = schemas.flatMap(({ properties }) => {
      return isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
    });
    if (declared.length === 0) return [`${path}${name}`];
    // What is refused as a whole, and what has its own form, is not looked into.
    const objects = declared.flatMap(objectsIn);
    return objects.length === 0 ? [] : lost(below, objects, `${path}${name}.`);
  });
}

for (const resource of contractResources) {
  const text = draftMembers[resource.kind];
  if (text === undefined) continue;
  t.test(`${resource.kind}: every member of the draft is declared`, (t) => {
    t.strictSame(lost(membersOf(text), [objectSchema(resource.draft).draft], ''), excused[resource.kind] ?? []);
    t.end();
  });
}

t.test('the kinds whose drafts are looked at', (t) => {
  const kinds = allResources.map(({ kind }) => kind).filter((kind) => draftMembers[kind] === undefined);
  // The draft of an API client has no description of its own kind, and nobody drafts messages.
  t.strictSame(kinds, ['api-client', 'message']);
  t.end();
});
