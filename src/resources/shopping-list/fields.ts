import { randomUUID } from 'node:crypto';
import type { DocumentOf } from '../../engine/document.ts';
import { customFields } from '../../fields/custom-fields.ts';
import {
  assigned,
  assignedOptional,
  defaulted,
  type FieldKind,
  optional,
  required,
  type ValueOf,
} from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { object, outputObject } from '../../fields/object.ts';
import { keyReference, reference, resourceId } from '../../fields/reference.ts';
import { boolean, dateTime, integer, key, text } from '../../fields/scalar.ts';
import { slug } from '../../fields/slug.ts';
import { unavailable } from '../../fields/unavailable.ts';
import { retentionDays } from '../project/fields.ts';
import { productOutputs } from './shown-product.ts';

export const quantity = integer({ min: 1, type: 'Int' });

const productId = resourceId('product', 'Product');

/** Lists outlive what they name. */
const strength = 'loose';

/** How a draft or an action names what it adds: by the product, of which the master variant is meant, or by the SKU. */
const named = {
  variantId: optional({ ...integer({ min: 1, type: 'Int' }), examples: [1] }),
  sku: optional(text(['SKU-1'])),
  quantity: defaulted(quantity, () => 1),
  addedAt: optional(dateTime()),
  key: optional(key()),
  custom: optional(customFields('line-item')),
};

export const lineItemDraft = { productId: optional(productId), ...named };

/** The action names the product of the example. */
export const addedLineItem = {
  productId: optional({ ...productId, examples: ['{lineItems[0].productId}'] } satisfies FieldKind<string>),
  ...named,
};

export type LineItemDraft = ValueOf<typeof lineItemDraft>;

const lineItemFields = {
  id: assigned(text(), () => randomUUID()),
  key: named.key,
  productId: assigned(text()),
  /** Absent: the master variant, whichever it is. */
  variantId: assignedOptional(integer({ type: 'Int' })),
  quantity: assigned(integer({ type: 'Int' })),
  addedAt: assigned(dateTime()),
  custom: named.custom,
  /** The rest follows from the product. */
  productType: assigned(reference('product-type', 'ProductTypeDefinition', { strength })),
  name: assigned(localizedString()),
  published: assigned(boolean()),
  /** The moment since which there is no such variant. */
  deactivatedAt: assignedOptional(dateTime()),
};

export const lineItem = object('ShoppingListLineItem', lineItemFields, {
  output: [...outputObject('ShoppingListLineItem', lineItemFields).fields, ...productOutputs],
});

export const textLineItemDraft = {
  name: required(localizedString()),
  description: optional(localizedString()),
  quantity: named.quantity,
  addedAt: named.addedAt,
  key: named.key,
  custom: optional(customFields('shopping-list-text-line-item')),
};

export type TextLineItemDraft = ValueOf<typeof textLineItemDraft>;

const textLineItem = object('TextLineItem', {
  ...textLineItemDraft,
  id: assigned(text(), () => randomUUID()),
  addedAt: assigned(dateTime()),
});

const settable = {
  key: optional(key()),
  name: required(localizedString()),
  slug: optional(slug()),
  description: optional(localizedString()),
  customer: optional(reference('customer', 'Customer', { strength })),
  anonymousId: optional(text()),
  store: optional(keyReference('store', 'Store')),
  custom: optional(customFields('shopping-list')),
};

export const fields = {
  ...settable,
  lineItems: assigned(list(lineItem)),
  textLineItems: assigned(list(textLineItem)),
  /** The project's own at the time where the client says none, whatever becomes of that. */
  deleteDaysAfterLastModification: assigned(retentionDays),
};

export const draft = {
  ...settable,
  lineItems: defaulted(
    list(object('ShoppingListLineItemDraft', lineItemDraft, { input: 'ShoppingListLineItemDraft' })),
    () => [],
  ),
  textLineItems: defaulted(
    list(object('TextLineItemDraft', textLineItemDraft, { input: 'TextLineItemDraft' })),
    () => [],
  ),
  deleteDaysAfterLastModification: optional(retentionDays),
  ...unavailable('businessUnit'),
};

/** What shoppers say of their lists; the rest is the shop's. */
export const ownMembers: readonly string[] = [
  'name',
  'description',
  'lineItems',
  'textLineItems',
  'custom',
  'deleteDaysAfterLastModification',
  'store',
  'businessUnit',
];

export type ShoppingList = DocumentOf<typeof fields>;
export type LineItem = ShoppingList['lineItems'][number];
