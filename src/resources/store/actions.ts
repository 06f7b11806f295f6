import { action, invalidOperation } from '../../engine/actions.ts';
import type { Action } from '../../engine/resource.ts';
import { optional, required } from '../../fields/field.ts';
import { text } from '../../fields/scalar.ts';
import { type Store, storeCountry, storefrontNames } from './fields.ts';

/** A country stands in a store once; adding it again changes nothing. */
export const addCountry = action({ country: required(storeCountry) }, ({ countries }: Store, { country }) => {
  if (!countries.some(({ code }) => code === country.code)) countries.push(country);
});

export const removeCountry = action({ country: required(storeCountry) }, ({ countries }: Store, { country }) => {
  const index = countries.findIndex(({ code }) => code === country.code);
  if (index < 0) throw invalidOperation(`The store has no country ${country.code}.`);
  countries.splice(index, 1);
});

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
