/** The items of a cart: line items, which are variants of products, and custom line items, which are whatever they say. */
import type { Fixed } from '../../engine/document.ts';
import { randomUUID } from 'node:crypto';
import { customFields } from '../../fields/custom-fields.ts';
import {
  assigned,
  assignedOptional,
  defaulted,
  type FieldKind,
  optional,
  type OutputField,
  required,
  takingInGraphql,
  type ValueOf,
} from '../../fields/field.ts';
import { differingList, list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { centMoney, money } from '../../fields/money.ts';
import { object } from '../../fields/object.ts';
import { reference, resourceId } from '../../fields/reference.ts';
import { boolean, dateTime, enumeration, integer, key, text } from '../../fields/scalar.ts';
import { unavailable } from '../../fields/unavailable.ts';
import { price, sku, variant } from '../product/fields.ts';
import { reservationLink } from '../reservation/fields.ts';
import { discountedPricePerQuantity } from './discounted-fields.ts';
import {
  externalTaxRate,
  methodExternalTaxRates,
  methodTaxedPrices,
  methodTaxRates,
  taxedItemPrice,
  taxRate,
} from './tax-fields.ts';

const inventoryModes = enumeration('InventoryMode', ['None', 'TrackOnly', 'ReserveOnOrder', 'ReserveOnCart']);

/** What reserves at once is for projects that say how long that lasts. */
export const inventoryMode: typeof inventoryModes = {
  ...inventoryModes,
  examples: inventoryModes.examples.filter((mode) => mode !== 'ReserveOnCart'),
};

export const channel = reference('channel', 'Channel', { strength: 'loose' });

const states = list(
  object('ItemState', {
    quantity: assigned(integer()),
    state: assigned(reference('state', 'State')),
  }),
);

const targetFields = {
  addressKey: required(key()),
  quantity: required(integer({ min: 0 })),
  shippingMethodKey: optional(key()),
};

/** Of two for one place nobody could say whether one is meant or the sum. */
function targetsCalled(input: string): FieldKind<ShippingTarget[]> {
  return differingList(
    object('ItemShippingTarget', targetFields, { input }),
    // No key has a blank.
    ({ addressKey, shippingMethodKey }) => (shippingMethodKey ? `${addressKey} ${shippingMethodKey}` : addressKey),
    'a list with one target for an address and a method',
  );
}

const shippingTargets = targetsCalled('ShippingTargetDraft');

/** Quantities that are taken away are below zero. */
export const shippingTargetDeltas = list(
  object(
    'ItemShippingTargetDelta',
    { ...targetFields, quantity: required(integer()) },
    { input: 'ShippingTargetDraft' },
  ),
);

export type ShippingTarget = ValueOf<typeof targetFields>;

export const shippingDetails = object('ItemShippingDetails', {
  targets: assigned(shippingTargets),
  /** The targets have as many units as the item. */
  valid: assigned(boolean()),
});

/** Lists of targets that GraphQL has besides: what each is of, and its type there. */
const otherTargets = {
  itemShippingAddressTargets: { of: 'addressKey', type: 'ItemShippingAddressTargetDraft' },
  shippingTargets: { of: 'shippingMethodKey', type: 'ShippingMethodTargetDraft' },
} as const;

type TargetLists = Readonly<Partial<Record<'targets' | keyof typeof otherTargets, readonly unknown[] | null>>>;

/** Whose types GraphQL names so: those of carts, or of orders. */
type Suffix = '' | 'Type';

/** REST has all targets in one list. There one without an address lacks it, whatever ships it. */
function detailsDraft(suffix: Suffix): FieldKind<{ targets: ShippingTarget[] }> {
  const targets = targetsCalled(`ShippingTargetDraft${suffix}`);
  const plain = object(
    'ItemShippingDetails',
    { targets: required(targets) },
    { input: `ItemShippingDetailsDraft${suffix}` },
  );
  const lists = Object.entries(otherTargets);
  const { input } = takingInGraphql(
    plain,
    ...lists.map(([name, { type }]) => ({ name, type: `[${type}${suffix}!] = []` })),
  );
  return {
    ...plain,
    input: {
      ...input!,
      types: () => [
        ...input!.types(),
        ...lists.map(([, { of, type }]) => ({
          name: `${type}${suffix}`,
          fields: [
            { name: of, type: 'String!' },
            { name: 'quantity', type: 'Long!' },
          ],
        })),
      ],
      read: (value) => {
        // The schema has typed the lists.
        const { targets: plainTargets, itemShippingAddressTargets, shippingTargets: ofMethods } = value as TargetLists;
        return { targets: [plainTargets, itemShippingAddressTargets, ofMethods].flatMap((given) => given ?? []) };
      },
    },
  };
}

export const shippingDetailsDraft = detailsDraft('');
export const orderShippingDetailsDraft = detailsDraft('Type');

/** What both kinds of items have. */
const itemFields = {
  id: assigned(text(), () => randomUUID()),
  key: optional(key()),
  totalPrice: assigned(centMoney()),
  discountedPricePerQuantity: assigned(discountedPricePerQuantity, () => []),
  taxRate: assignedOptional(taxRate),
  taxedPrice: assignedOptional(taxedItemPrice),
  perMethodTaxRate: assigned(methodTaxRates, () => []),
  taxedPricePortions: assigned(methodTaxedPrices, () => []),
  state: assigned(states, () => []),
  shippingDetails: assignedOptional(shippingDetails),
};

const lineItemPriceMode = enumeration('LineItemPriceMode', ['Platform', 'ExternalPrice', 'ExternalTotal']);

const typeLink = reference('product-type', 'ProductTypeDefinition', { strength: 'loose' });

function linkMember(name: string, type: string): OutputField {
  return { name, type, complexity: 1, read: (parent) => parent[name] };
}

/** GraphQL has a form of its own for the link, with the version of its target, which no link of this platform says. */
const productType: typeof typeLink = {
  ...typeLink,
  output: {
    ...typeLink.output,
    fields: (name, isRequired) =>
      typeLink.output
        .fields(name, isRequired)
        .map((field) => (field.name === `${name}Ref` ? { ...field, type: 'VersionedReference' } : field)),
    types: () => [
      ...typeLink.output.types(),
      {
        type: 'object',
        object: {
          name: 'VersionedReference',
          fields: [linkMember('typeId', 'String!'), linkMember('id', 'String!'), linkMember('version', 'Long')],
        },
      },
    ],
  },
};

/** A copy of what stands in a product, and is looked at there. */
function copied<Value>({ described: _, ...kind }: FieldKind<Value>): FieldKind<Value> {
  return kind;
}

export const lineItemMembers = {
  ...itemFields,
  productId: assigned(text()),
  productKey: assignedOptional(text()),
  name: assigned(localizedString()),
  productSlug: assignedOptional(localizedString()),
  productType: assigned(productType),
  variant: assigned(copied(variant)),
  price: assigned(copied(price)),
  quantity: assigned(integer()),
  supplyChannel: assignedOptional(channel),
  distributionChannel: assignedOptional(channel),
  priceMode: assigned(lineItemPriceMode),
  lineItemMode: assigned(enumeration('LineItemMode', ['Standard', 'GiftLineItem'])),
  inventoryMode: assignedOptional(inventoryMode),
  reservation: assignedOptional(reservationLink),
  custom: assignedOptional(customFields('line-item')),
  addedAt: assignedOptional(dateTime()),
  lastModifiedAt: assignedOptional(dateTime()),
};

export type LineItem = ValueOf<typeof lineItemMembers>;

export const lineItem = object('LineItem', lineItemMembers);

const lineItemList = list(lineItem);

/** GraphQL gives one of them by its id. */
export const lineItems: typeof lineItemList = {
  ...lineItemList,
  output: {
    ...lineItemList.output,
    fields: (name, isRequired) =>
      lineItemList.output.fields(name, isRequired).map((field) => ({
        ...field,
        args: { id: 'String' },
        read: (parent, args) => {
          // The kind of the member.
          const items = field.read(parent, args) as readonly LineItem[];
          const { id } = args;
          return id === undefined || id === null ? items : items.filter((item) => item.id === id);
        },
      })),
  },
};

const totalFields = { price: required(money()), totalPrice: required(centMoney()) };

export const externalTotalPrice = object('ExternalLineItemTotalPrice', totalFields);

export type ExternalTotalPrice = ValueOf<typeof totalFields>;

/** What buyers say of a line item. */
export const ownLineItemDraftFields = {
  key: optional(key()),
  productId: optional(resourceId('product', 'Product')),
  /** By default the master variant. */
  variantId: optional(integer({ min: 1, type: 'Int' })),
  sku: optional(sku),
  quantity: defaulted(integer({ min: 1 }), () => 1),
  addedAt: optional(dateTime()),
  distributionChannel: optional(channel),
  supplyChannel: optional(channel),
  shippingDetails: optional(shippingDetailsDraft),
  custom: optional(customFields('line-item')),
  ...unavailable('recurrenceInfo'),
};

/** And what the shop says besides. */
export const lineItemDraftFields = {
  ...ownLineItemDraftFields,
  externalPrice: optional(money()),
  externalTotalPrice: optional(externalTotalPrice),
  externalTaxRate: optional(externalTaxRate),
  perMethodExternalTaxRate: optional(methodExternalTaxRates),
  inventoryMode: optional(inventoryMode),
};

export type LineItemDraft = ValueOf<typeof lineItemDraftFields>;

export const lineItemDraft = object('LineItemDraft', lineItemDraftFields, { input: 'LineItemDraft' });
export const ownLineItemDraft = object('MyLineItemDraft', ownLineItemDraftFields, { input: 'MyLineItemDraft' });

export const customLineItemPriceMode = enumeration('CustomLineItemPriceMode', ['Standard', 'External']);

const customLineItemContent = {
  key: optional(key()),
  name: required(localizedString()),
  money: required(money()),
  slug: required(text(['gift-wrapping'])),
  taxCategory: optional(reference('tax-category', 'TaxCategory', { strength: 'loose' })),
  priceMode: defaulted(customLineItemPriceMode, () => 'Standard' as const),
  quantity: defaulted(integer(), () => 1),
  custom: optional(customFields('custom-line-item')),
};

const customLineItemFields = { ...itemFields, ...customLineItemContent };

export type CustomLineItem = ValueOf<typeof customLineItemFields>;

/** What errors and explanations call an item: nobody knows the id of one that is new. */
export function itemName(item: Fixed<LineItem> | Fixed<CustomLineItem>): string {
  return 'variant' in item ? (item.variant.sku ?? `${item.productId}#${item.variant.id}`) : item.slug;
}

export const customLineItem = object('CustomLineItem', customLineItemFields);

export const customLineItemDraftFields = {
  ...customLineItemContent,
  quantity: defaulted(integer({ min: 1 }), () => 1),
  externalTaxRate: optional(externalTaxRate),
  shippingDetails: optional(shippingDetailsDraft),
  ...unavailable('recurrenceInfo'),
};

export type CustomLineItemDraft = ValueOf<typeof customLineItemDraftFields>;

export const customLineItemDraft = object('CustomLineItem', customLineItemDraftFields);
