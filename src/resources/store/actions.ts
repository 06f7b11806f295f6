import { action, invalidOperation } from '../../engine/actions.ts';
import type { Action } from '../../engine/resource.ts';
import { optional, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import type { Reference } from '../../fields/parsing.ts';
import { text } from '../../fields/scalar.ts';
import {
  isActive,
  productSelection,
  productSelectionSetting,
  type Store,
  storeCountry,
  storefrontNames,
} from './fields.ts';

/** A country stands in a store once; adding it again changes nothing. */
export const addCountry = action({ country: required(storeCountry) }, ({ countries }: Store, { country }) => {
  if (!countries.some(({ code }) => code === country.code)) countries.push(country);
});

export const removeCountry = action({ country: required(storeCountry) }, ({ countries }: Store, { country }) => {
  const index = countries.findIndex(({ code }) => code === country.code);
  if (index < 0) throw invalidOperation(`The store has no country ${country.code}.`);
  countries.splice(index, 1);
});

const settings = list(productSelectionSetting('ProductSelectionSettingInActionInput'));

export const setProductSelections = action(
  { productSelections: optional(settings) },
  (store: Store, { productSelections = [] }) => {
    store.productSelections = productSelections;
  },
);

const named = { productSelection: required(productSelection) };
const setting = { ...named, active: isActive };

function indexOf({ productSelections }: Store, { id }: Reference): number {
  return productSelections.findIndex((each) => each.productSelection.id === id);
}

/** One that is in the store already, and as active, changes nothing. */
export const addProductSelection = action(setting, (store: Store, given) => {
  const present = store.productSelections[indexOf(store, given.productSelection)];
  if (present === undefined) store.productSelections.push(given);
  else if (present.active !== given.active)
    throw invalidOperation(
      `The product selection '${given.productSelection.id}' is in the store already. Use changeProductSelectionActive.`,
    );
});

export const removeProductSelection = action(named, (store: Store, { productSelection: link }) => {
  store.productSelections.splice(indexIn(store, link), 1);
});

export const changeProductSelectionActive = action(setting, (store: Store, { productSelection: link, active }) => {
  store.productSelections[indexIn(store, link)]!.active = active;
});

/** Throws where the store does not have it. */
function indexIn(store: Store, link: Reference): number {
  const index = indexOf(store, link);
  if (index < 0) throw invalidOperation(`The product selection '${link.id}' is not in the store.`);
  return index;
}

/** `setContactUrl` and the like, one for each page of the storefront. */
export const storefrontActions: Readonly<Record<string, Action>> = Object.fromEntries(
  storefrontNames.map((name) => [
    `set${name[0]!.toUpperCase()}${name.slice(1)}`,
    action({ [name]: optional(text(['https://shop.example.org/page'])) }, (store: Store, given) => {
      const url = (given as Partial<Record<typeof name, string>>)[name];
      const storefront = { ...store.storefront };
      if (url === undefined) delete storefront[name];
      else storefront[name] = url;
      if (Object.keys(storefront).length > 0) store.storefront = storefront;
      else delete store.storefront;
    }),
  ]),
);
