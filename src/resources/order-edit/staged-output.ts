/**
 * How staged actions show in GraphQL: as they were given. What it has types of their own for is declared here; other members
 * show as resources have them.
 */
import { addressFields } from '../../fields/address.ts';
import { customTypeMembers } from '../../fields/custom-fields.ts';
import {
  type Field,
  type FieldKind,
  type Fields,
  isAlwaysPresent,
  type Lookups,
  optional,
  type OutputField,
  type OutputObject,
  type OutputType,
  required,
} from '../../fields/field.ts';
import { centMoney } from '../../fields/money.ts';
import { isObject } from '../../fields/object.ts';
import { Parsing } from '../../fields/parsing.ts';
import type { Action } from '../../engine/resource.ts';
import { trackingData } from '../cart/delivery-fields.ts';

type Staged = Readonly<Record<string, unknown>>;
type Read = OutputField['read'];

function shown(name: string, type: string, read: Read = (parent) => parent[name]): OutputField {
  return { name, type, complexity: 1, read: (parent, args) => read(parent, args) ?? absent(type) };
}

/** What stands for a member that was not given, where GraphQL always has one. */
function absent(type: string): unknown {
  if (/^\[.*!$/.test(type)) return [];
  return type === 'Boolean!' ? false : undefined;
}

/** An object whose members are called and given as in REST, and others. */
function given(
  name: string,
  members: Readonly<Record<string, string>>,
  ...others: readonly OutputField[]
): OutputObject {
  return { name, fields: [...Object.entries(members).map(([member, type]) => shown(member, type)), ...others] };
}

/** Reads a member in the form that resources have, such as money with its digits. What is staged was parsed before. */
function typed(name: string, { kind }: Field<unknown>): Read {
  return (parent) => (parent[name] === undefined ? undefined : kind.parse(parent[name], new Parsing()));
}

/** A link to another resource by an id or a key. */
function identifier(name: string): OutputObject {
  return given(name, { typeId: 'String!', id: 'String', key: 'String' });
}

/** Targets that name an address and no method, or a method and no address. */
function targetsOf(named: string, unnamed: string): Read {
  // The action was parsed when it was staged.
  return ({ targets }) =>
    (targets as readonly Staged[]).filter((target) => named in target && target[unnamed] === undefined);
}

function linkOf({ type }: Staged): Staged {
  return isObject(type) ? type : {};
}

const custom = shown('custom', 'CustomFieldsCommand');
const taxRate = given('ExternalTaxRateDraftOutput', {
  name: 'String!',
  amount: 'Float',
  country: 'Country!',
  state: 'String',
  subRates: '[SubRate!]!',
  includedInPrice: 'Boolean!',
});
const details = given(
  'ItemShippingDetailsDraftOutput',
  { targets: '[ItemShippingTarget!]!' },
  shown(
    'itemShippingAddressTargets',
    '[ItemShippingAddressTargetDraftOutput!]!',
    targetsOf('addressKey', 'shippingMethodKey'),
  ),
  shown('shippingTargets', '[ShippingMethodTargetDraftOutput!]!', targetsOf('shippingMethodKey', 'addressKey')),
);

/** Types of what was given, by the type that GraphQL's inputs give it with. */
const forms: Readonly<Record<string, OutputObject>> = {
  AddressInput: given(
    'AddressDraft',
    Object.fromEntries(
      Object.entries(addressFields).flatMap(([name, field]) =>
        name === 'custom' ? [] : [[name, `${field.kind.output.item}${isAlwaysPresent(field) ? '!' : ''}`]],
      ),
    ),
    custom,
  ),
  CustomFieldsDraft: given(
    'CustomFieldsCommand',
    {},
    shown('typeId', 'String', (parent) => linkOf(parent)['id']),
    shown('typeKey', 'String', (parent) => linkOf(parent)['key']),
    shown('typeResId', 'ResourceIdentifier', ({ type }) => type),
    shown('fields', 'Json!', ({ fields }) => fields ?? {}),
  ),
  ExternalTaxRateDraft: taxRate,
  ExternalTaxAmountDraft: given(
    'ExternalTaxAmountDraftOutput',
    { taxRate: 'ExternalTaxRateDraftOutput!' },
    shown('totalGross', 'Money!', typed('totalGross', required(centMoney()))),
  ),
  MethodExternalTaxRateDraft: given('MethodExternalTaxRateDraftOutput', {
    shippingMethodKey: 'String!',
    taxRate: 'ExternalTaxRateDraftOutput',
  }),
  ItemShippingDetailsDraft: details,
  ItemShippingDetailsDraftType: details,
  ParcelDataDraftType: given(
    'ParcelData',
    { key: 'String', measurements: 'ParcelMeasurements' },
    shown('trackingData', 'TrackingData', typed('trackingData', optional(trackingData))),
    shown('items', '[DeliveryItem!]!'),
    custom,
  ),
  ReturnItemDraftType: given(
    'ReturnItemDraftTypeOutput',
    {
      key: 'String',
      quantity: 'Long!',
      lineItemId: 'String',
      customLineItemId: 'String',
      comment: 'String',
      shipmentState: 'ReturnShipmentState!',
    },
    custom,
  ),
  ReturnInfoDraftType: given('ReturnInfoDraftTypeOutput', {
    items: '[ReturnItemDraftTypeOutput!]!',
    returnDate: 'DateTime',
    returnTrackingId: 'String',
  }),
};

const rateInputName = 'ShippingRateInputDraftOutput';
const shippingRateInput: OutputType = {
  type: 'interface',
  name: rateInputName,
  fields: [shown('type', 'String!')],
  formOf: ({ type }) => String(type),
  members: {
    Score: given('ScoreShippingRateInputDraftOutput', { type: 'String!', score: 'Int!' }),
    Classification: given('ClassificationShippingRateInputDraftOutput', { type: 'String!', key: 'String!' }),
  },
};

/** Links that are no ResourceIdentifiers in GraphQL. */
const linkTypes: Readonly<Record<string, string>> = {
  channel: 'ChannelReferenceIdentifier',
  distributionChannel: 'ChannelReferenceIdentifier',
  supplyChannel: 'ChannelReferenceIdentifier',
  customerGroup: 'CustomerGroupReferenceIdentifier',
};

/** Lists whose elements hold links that show as resources have them, by their inputs. */
const linked: Readonly<Record<string, string>> = {
  ItemStateDraftType: 'ItemState',
  DirectDiscountDraft: 'DirectDiscountDraftOutput',
};

/** A value in the form that resources have, with the ids of what it names by keys. */
async function withIds(kind: FieldKind<unknown>, value: unknown, lookups: Lookups): Promise<unknown> {
  const parsing = new Parsing();
  const parsed = kind.parse(value, parsing);
  await Promise.all(
    parsing.identifiers.map(async ({ target, wants, typeId, ...identifier }) => {
      const known = identifier[wants];
      if (known !== undefined) target[wants] = known;
      else {
        const [found] = await lookups.matching(typeId, `key = ${JSON.stringify(identifier.key)}`, 'id asc');
        if (found !== undefined) target.id = String(found['id']);
      }
    }),
  );
  return parsed;
}

/** What GraphQL's inputs give one value with. */
function inputOf({ input }: FieldKind<unknown>): { readonly type: string; readonly isList: boolean } {
  const [, element] = /^\[(.*)!\]$/.exec(input?.type ?? '') ?? [];
  return { type: element ?? input?.type ?? '', isList: element !== undefined };
}

/** The type that shows one value as it was given; undefined for what shows as resources have it. */
function givenType(kind: FieldKind<unknown>): string | undefined {
  const { type } = inputOf(kind);
  return type === 'ShippingRateInputDraft' ? rateInputName : (linked[type] ?? forms[type]?.name);
}

/** Members that may be left out, and that GraphQL shows all the same. */
const always: ReadonlyMap<string, OutputField> = new Map([
  ['priceMode', shown('priceMode', 'CustomLineItemPriceMode!', ({ priceMode }) => priceMode ?? 'Standard')],
  ['force', shown('force', 'Boolean!')],
]);

/** Fields of what was given as this member of an action or a draft. */
function shownMember(name: string, field: Field<unknown>): readonly OutputField[] {
  const shownAlways = always.get(name);
  if (shownAlways !== undefined) return [shownAlways];
  const { kind } = field;
  const isRequired = field.presence === 'required';
  const input = inputOf(kind);
  const sdl = (type: string): string => (input.isList ? `[${type}!]!` : `${type}${isRequired ? '!' : ''}`);
  const looksUp: OutputField['looksUp'] = (staged, _, lookups) => withIds(kind, staged[name], lookups);
  const type = givenType(kind);
  if (type !== undefined) {
    const asGiven = shown(name, sdl(type));
    if (linked[input.type] === undefined) return [asGiven];
    return [{ ...asGiven, looksUp }];
  }
  const { output } = kind;
  // A code that is removed is named as carts name theirs.
  if (name === 'discountCode')
    return output.fields(name, isRequired).map((each) => (each.expands === true ? each : { ...each, looksUp }));
  if (output.reference !== undefined)
    return [shown(`${name}ResId`, sdl(linkTypes[name] ?? 'ResourceIdentifier'), (parent) => parent[name])];
  const fields = output.fields(name, isRequired);
  const own = fields.filter((each) => each.name === name && each.expands !== true);
  if (own.length === 0 || output.item === 'LocalizedString') return fields;
  return own.map((each) => shown(name, input.isList ? sdl(output.item.slice(1, -2)) : each.type, typed(name, field)));
}

function shownMembers(fields: Fields): readonly OutputField[] {
  return Object.entries(fields).flatMap(([name, field]) => shownMember(name, field));
}

/** What adds an item has its draft in GraphQL. */
const drafts: Readonly<Record<string, string>> = {
  addLineItem: 'LineItemDraftOutput',
  addCustomLineItem: 'CustomLineItemDraftOutput',
};

/** Fields of a staged action, but its name. */
export function stagedFields(name: string, { fields }: Action): readonly OutputField[] {
  const draft = drafts[name];
  if (draft !== undefined) return [shown('draft', `${draft}!`, (staged) => staged)];
  // What GraphQL takes of a code besides, orders do not keep.
  if (name === 'addDiscountCode') return [...shownMembers(fields), shown('validateDuplicates', 'Boolean!')];
  const { type, fields: _, ...others } = fields;
  if (type?.kind !== customTypeMembers.type.kind) return shownMembers(fields);
  return [...shownMembers(others), shown('custom', 'CustomFieldsCommand!', (staged) => staged)];
}

/** Types that show nothing but what was staged. */
export function stagedTypes(actions: ReadonlyMap<string, Action>): readonly OutputType[] {
  const objects = [
    ...new Set(Object.values(forms)),
    ...['ResourceIdentifier', ...new Set(Object.values(linkTypes))].map(identifier),
    given('ItemShippingAddressTargetDraftOutput', { addressKey: 'String!', quantity: 'Long!' }),
    given('ShippingMethodTargetDraftOutput', { shippingMethodKey: 'String!', quantity: 'Long!' }),
    given('DirectDiscountDraftOutput', { value: 'CartDiscountValue!', target: 'CartDiscountTarget' }),
    ...Object.entries(drafts).map(([name, type]) => ({ name: type, fields: shownMembers(actions.get(name)!.fields) })),
  ];
  const others = [...actions.values()]
    .flatMap(({ fields }) => Object.values(fields))
    .filter(({ kind }) => givenType(kind) === undefined && kind.output.reference === undefined);
  return [
    ...objects.map((object) => ({ type: 'object', object }) as const),
    shippingRateInput,
    ...others.flatMap(({ kind }) => kind.output.types()),
  ];
}
