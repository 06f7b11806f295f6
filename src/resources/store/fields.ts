import type { DocumentOf } from '../../engine/document.ts';
import { customFields } from '../../fields/custom-fields.ts';
import { defaulted, type FieldKind, optional, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { object } from '../../fields/object.ts';
import type { Reference } from '../../fields/parsing.ts';
import { reference } from '../../fields/reference.ts';
import { boolean, country, key, locale, text } from '../../fields/scalar.ts';

export const storeCountry = object('StoreCountry', { code: required(country()) }, { input: 'StoreCountryInput' });

/** Pages of the storefront, each a URL or a template of one. */
export const storefrontNames = [
  'checkoutUrlTemplate',
  'orderUrlTemplate',
  'termsOfServiceUrl',
  'privacyPolicyUrl',
  'refundPolicyUrl',
  'shippingPolicyUrl',
  'cookiePolicyUrl',
  'imprintUrl',
  'faqUrl',
  'contactUrl',
] as const;

const url = optional(text(['https://shop.example.org/page']));

const storefrontFields = {
  checkoutUrlTemplate: url,
  orderUrlTemplate: url,
  termsOfServiceUrl: url,
  privacyPolicyUrl: url,
  refundPolicyUrl: url,
  shippingPolicyUrl: url,
  cookiePolicyUrl: url,
  imprintUrl: url,
  faqUrl: url,
  contactUrl: url,
};

type ChannelRole = 'ProductDistribution' | 'InventorySupply';

/** A channel with the role that its place in a store asks for. */
function channelWith(missingRole: ChannelRole): FieldKind<Reference> {
  return reference('channel', 'Channel', {
    lacks: ({ id, roles }) => {
      if (Array.isArray(roles) && roles.includes(missingRole)) return undefined;
      return {
        code: 'MissingRoleOnChannel',
        message: `The channel with ID '${String(id)}' lacks the role ${missingRole}.`,
        channel: { typeId: 'channel', id },
        missingRole,
      };
    },
  });
}

export const distributionChannel = channelWith('ProductDistribution');
export const supplyChannel = channelWith('InventorySupply');

/** While it is in a store, a selection cannot be deleted. */
export const productSelection = reference('product-selection', 'ProductSelection');

/** Only what is active shows in what the store offers. */
export const isActive = defaulted(boolean(), () => false);

interface ProductSelectionSetting {
  productSelection: Reference;
  active: boolean;
}

/** A selection in a store, as a draft or (with another name in GraphQL) an action gives it. */
export function productSelectionSetting(input: string): FieldKind<ProductSelectionSetting> {
  const members = { productSelection: required(productSelection), active: isActive };
  return object('ProductSelectionSetting', members, { input });
}

export const fields = {
  key: required(key()),
  name: optional(localizedString()),
  languages: defaulted(list(locale()), () => []),
  countries: defaulted(list(storeCountry), () => []),
  distributionChannels: defaulted(list(distributionChannel), () => []),
  supplyChannels: defaulted(list(supplyChannel), () => []),
  productSelections: defaulted(list(productSelectionSetting('ProductSelectionSettingDraft')), () => []),
  storefront: optional(object('Storefront', storefrontFields, { input: 'StorefrontInput' })),
  custom: optional(customFields('store')),
};

export type Store = DocumentOf<typeof fields>;
