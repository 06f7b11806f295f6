import type { MessagesDeclaration } from '../../engine/define.ts';
import type { Fixed } from '../../engine/document.ts';
import { isSameJson } from '../../engine/json.ts';
import { messageType, type MessageType, told } from '../../engine/messages.ts';
import { type Teller, tellsSet, whenChanged } from '../../engine/tellers.ts';
import { customFields } from '../../fields/custom-fields.ts';
import { type FieldKind, optional, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { reference } from '../../fields/reference.ts';
import { locale, text } from '../../fields/scalar.ts';
import { productSelectionSetting, type Store, storeCountry, storefrontNames } from './fields.ts';

const channels = list(reference('channel', 'Channel'));
const settings = list(productSelectionSetting('ProductSelectionSettingDraft'));

const created = messageType('StoreCreated', {
  name: optional(localizedString()),
  languages: optional(list(locale())),
  countries: optional(list(storeCountry)),
  distributionChannels: required(channels),
  supplyChannels: required(channels),
  productSelections: required(settings),
  custom: optional(customFields('store')),
});
const deleted = messageType('StoreDeleted', {});
const nameSet = messageType('StoreNameSet', { name: optional(localizedString()) });

function upperFirst(name: string): string {
  return `${name[0]!.toUpperCase()}${name.slice(1)}`;
}

type ListName = 'countries' | 'languages' | 'distributionChannels' | 'supplyChannels' | 'productSelections';

/** The elements of a list that have come and gone, and for some which are others. */
function listChanged(name: ListName, kind: FieldKind<unknown>, isUpdated = false): MessageType {
  const called = upperFirst(name);
  const names = ['added', 'removed', ...(isUpdated ? ['updated'] : [])];
  return messageType(
    `Store${called}Changed`,
    Object.fromEntries(names.map((change) => [`${change}${called}`, optional(kind)])),
  );
}

const listTypes = {
  countries: listChanged('countries', list(storeCountry)),
  languages: listChanged('languages', list(locale())),
  distributionChannels: listChanged('distributionChannels', channels),
  supplyChannels: listChanged('supplyChannels', channels),
  productSelections: listChanged('productSelections', settings, true),
};

/** What tells the elements of a list apart. */
const nameIn: { readonly [Name in ListName]: (element: Fixed<Store[Name][number]>) => string } = {
  countries: ({ code }) => code,
  languages: (language) => language,
  distributionChannels: ({ id }) => id,
  supplyChannels: ({ id }) => id,
  productSelections: ({ productSelection }) => productSelection.id,
};

function tellsList(name: ListName): Teller {
  const { type } = listTypes[name];
  // Elements of the list that the name is of.
  const nameOf = nameIn[name] as (element: unknown) => string;
  const missingIn = (some: readonly unknown[], others: readonly unknown[]): readonly unknown[] => {
    const names = new Set(others.map(nameOf));
    return some.filter((each) => !names.has(nameOf(each)));
  };
  return whenChanged<Store, readonly unknown[]>(
    (store) => store[name],
    ({ before, after }) => {
      const was = new Map(before.map((each) => [nameOf(each), each]));
      const changes = {
        added: missingIn(after, before),
        removed: missingIn(before, after),
        updated: after.filter((each) => was.has(nameOf(each)) && !isSameJson(was.get(nameOf(each)), each)),
      };
      const members = Object.entries(changes).filter(([, some]) => some.length > 0);
      // Another order of the same is no change of what is in it.
      if (members.length === 0) return [];
      return [
        { type, payload: Object.fromEntries(members.map(([change, some]) => [`${change}${upperFirst(name)}`, some])) },
      ];
    },
  );
}

const pageTypes = Object.fromEntries(
  storefrontNames.map((name) => [name, messageType(`Store${upperFirst(name)}Set`, { [name]: optional(text()) })]),
);

const tellsPages = Object.fromEntries(
  storefrontNames.map((name) => [
    `set${upperFirst(name)}`,
    whenChanged<Store, string | undefined>(
      ({ storefront }) => storefront?.[name],
      ({ after }) => [{ type: pageTypes[name]!.type, payload: { [name]: after } }],
    ),
  ]),
);

export const messages: MessagesDeclaration<Store> = {
  types: [created, deleted, nameSet, ...Object.values(listTypes), ...Object.values(pageTypes)],
  created: ({ name, languages, countries, distributionChannels, supplyChannels, productSelections, custom }) => [
    told(created, { name, languages, countries, distributionChannels, supplyChannels, productSelections, custom }),
  ],
  deleted: () => [told(deleted, {})],
  actions: {
    setName: tellsSet(nameSet, 'name'),
    setCountries: tellsList('countries'),
    addCountry: tellsList('countries'),
    removeCountry: tellsList('countries'),
    setLanguages: tellsList('languages'),
    setDistributionChannels: tellsList('distributionChannels'),
    addDistributionChannel: tellsList('distributionChannels'),
    removeDistributionChannel: tellsList('distributionChannels'),
    setSupplyChannels: tellsList('supplyChannels'),
    addSupplyChannel: tellsList('supplyChannels'),
    removeSupplyChannel: tellsList('supplyChannels'),
    setProductSelections: tellsList('productSelections'),
    addProductSelection: tellsList('productSelections'),
    removeProductSelection: tellsList('productSelections'),
    changeProductSelectionActive: tellsList('productSelections'),
    ...tellsPages,
  },
};
