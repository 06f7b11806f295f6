import {
  assigned,
  assignedOptional,
  defaulted,
  type FieldKind,
  hiddenInGraphql,
  optional,
  refined,
  required,
  type ValueOf,
} from '../../fields/field.ts';
import { initiator } from '../../fields/initiator.ts';
import { headerValue, httpUrl } from '../../fields/http-call.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { object } from '../../fields/object.ts';
import { oneOf } from '../../fields/one-of.ts';
import { keyReference } from '../../fields/reference.ts';
import { boolean, country, currency, dateTime, enumeration, integer, locale, text } from '../../fields/scalar.ts';

const roundingMode = enumeration('RoundingMode', ['HalfEven', 'HalfUp', 'HalfDown']);

/** Days after its last modification at which a cart or a shopping list is deleted (decisions.md #8). */
export const retentionDays = integer({ min: 1, max: 365_250, type: 'Int' });

const cartsDays = 90;
const shoppingListsDays = 360;
/** That a message stays in projects that say nothing else. */
export const messagesDays = 15;
const messagesDaysMax = 90;
const reservationMinutesMax = 44_640;

const cartsConfiguration = object(
  'CartsConfiguration',
  {
    deleteDaysAfterLastModification: defaulted(retentionDays, () => cartsDays),
    /** A rate of a country counts for its states that have none. */
    countryTaxRateFallbackEnabled: defaulted(boolean(), () => false),
    priceRoundingMode: defaulted(roundingMode, () => 'HalfEven' as const),
    taxRoundingMode: defaulted(roundingMode, () => 'HalfEven' as const),
  },
  { input: 'CartsConfigurationInput' },
);

const shoppingListsConfiguration = object(
  'ShoppingListsConfiguration',
  { deleteDaysAfterLastModification: defaulted(retentionDays, () => shoppingListsDays) },
  { input: 'ShoppingListsConfigurationInput' },
);

const messagesConfiguration = object('MessagesConfiguration', {
  enabled: required(boolean()),
  deleteDaysAfterCreation: defaulted(integer({ min: 1, max: messagesDaysMax, type: 'Int' }), () => messagesDays),
});

const externalOAuth = object('ExternalOAuth', {
  /** An introspection endpoint (RFC 7662). */
  url: required(httpUrl('https://auth.example.org/introspect')),
  /** Sent to the endpoint as it is, and never shown. */
  authorizationHeader: required(headerValue('Bearer 8f3a')),
});

const classificationFields = { key: required(text(['small'])), label: required(localizedString()) };

const classificationValue = object('ShippingRateInputLocalizedEnumValue', classificationFields, {
  input: 'LocalizedEnumValueInput',
});

/** The classes of carts that a project tells apart; none unless it classifies them. */
export function classificationsOf(
  type: Readonly<Record<string, unknown>> | undefined,
): readonly ValueOf<typeof classificationFields>[] {
  // A CartClassification has values.
  return (type?.['values'] ?? []) as readonly ValueOf<typeof classificationFields>[];
}

/** What the tiers of shipping rates depend on. */
const shippingRateInputType = refined(
  oneOf(
    'ShippingRateInputType',
    {
      CartValue: { typeName: 'CartValueType', fields: {}, input: 'CartValueInput' },
      CartClassification: {
        typeName: 'CartClassificationType',
        fields: { values: required(list(classificationValue)) },
        input: 'CartClassificationInput',
      },
      CartScore: { typeName: 'CartScoreType', fields: {}, input: 'CartScoreInput' },
    },
    { input: 'ShippingRateInputTypeInput' },
  ),
  (type, parsing) => {
    const keys = classificationsOf(type).map(({ key }) => key);
    return new Set(keys).size === keys.length ? type : parsing.wrongValue(keys, 'a list of values with different keys');
  },
);

const switchValues = ['Activated', 'Deactivated'] as const;

function searchConfiguration(typeName: string, status: ReturnType<typeof searchStatus>): typeof productSearch {
  return object(typeName, {
    status: required(status),
    lastModifiedAt: assignedOptional(dateTime()),
    lastModifiedBy: assignedOptional(initiator()),
  }) as typeof productSearch;
}

function searchStatus(typeName: string): ReturnType<typeof enumeration<(typeof switchValues)[number]>> {
  return enumeration(typeName, switchValues);
}

export const orderSearchStatus = searchStatus('OrderSearchStatus');
export const customerSearchStatus = searchStatus('CustomerSearchStatus');
export const businessUnitSearchStatus = searchStatus('BusinessUnitSearchStatus');

const productSearch = object('SearchIndexingConfigurationValues', {
  status: optional(enumeration('SearchIndexingStatus', ['Activated', 'Indexing', 'Deactivated'])),
  lastModifiedAt: assignedOptional(dateTime()),
  lastModifiedBy: assignedOptional(initiator()),
});

const searchIndexing = object('SearchIndexingConfiguration', {
  products: optional(productSearch),
  productsSearch: optional(hiddenInGraphql(productSearch)),
  orders: optional(searchConfiguration('OrderSearchConfiguration', orderSearchStatus)),
  customers: optional(searchConfiguration('CustomerSearchConfiguration', customerSearchStatus)),
  businessUnits: optional(searchConfiguration('BusinessUnitSearchConfiguration', businessUnitSearchStatus)),
});

export const businessUnitStatus = enumeration('BusinessUnitConfigurationStatus', ['Active', 'Inactive']);
export const associateRole = keyReference('associate-role', 'AssociateRole');
export const reservationMinutes = integer({ min: 1, max: reservationMinutesMax, type: 'Int' });
/** How good passwords of customers have to be. It is this platform's own setting. */
export const passwordPolicy = {
  ...enumeration('PasswordPolicy', ['Strict', 'Relaxed']),
  input: undefined,
} satisfies FieldKind<'Strict' | 'Relaxed'>;
const productCatalogModel = enumeration('ProductCatalogModel', ['Classic', 'Modular']);
const countries = list(country());
const currencies = list(currency());
const languages = list(locale());

const discountsConfiguration = object(
  'DiscountsConfiguration',
  {
    discountCombinationMode: required(enumeration('DiscountCombinationMode', ['BestDeal', 'Stacking'])),
  },
  { input: 'DiscountsConfigurationInput' },
);

/** What the platform keeps of every project: it is known by its key, and has no id. */
export const base = { key: assigned(text()), version: assigned(integer()) };

export const fields = {
  name: required(text()),
  countries: required(countries),
  currencies: required(currencies),
  languages: required(languages),
  createdAt: assigned(dateTime()),
  trialUntil: assignedOptional(text()),
  messages: defaulted(messagesConfiguration, () => ({
    enabled: false,
    deleteDaysAfterCreation: messagesDays,
  })),
  carts: defaulted(cartsConfiguration, () => ({
    deleteDaysAfterLastModification: cartsDays,
    countryTaxRateFallbackEnabled: false,
    priceRoundingMode: 'HalfEven' as const,
    taxRoundingMode: 'HalfEven' as const,
  })),
  shoppingLists: defaulted(shoppingListsConfiguration, () => ({
    deleteDaysAfterLastModification: shoppingListsDays,
  })),
  shippingRateInputType: optional(shippingRateInputType),
  externalOAuth: optional(externalOAuth),
  searchIndexing: optional(searchIndexing),
  businessUnits: defaulted(
    hiddenInGraphql(
      object('BusinessUnitConfiguration', {
        myBusinessUnitStatusOnCreation: defaulted(businessUnitStatus, () => 'Inactive' as const),
        myBusinessUnitAssociateRoleOnCreation: optional(associateRole),
      }),
    ),
    () => ({ myBusinessUnitStatusOnCreation: 'Inactive' as const }),
  ),
  inventory: defaulted(
    object('InventoryConfiguration', {
      reservationExpirationInMinutes: optional(reservationMinutes),
      releaseExpiredReservations: defaulted(boolean(), () => true),
    }),
    () => ({ releaseExpiredReservations: true }),
  ),
  discounts: defaulted(discountsConfiguration, () => ({ discountCombinationMode: 'Stacking' as const })),
  productCatalogModel: optional(productCatalogModel),
  customers: optional(
    hiddenInGraphql(
      object('CustomersConfiguration', { passwordPolicy: defaulted(passwordPolicy, () => 'Strict' as const) }),
    ),
  ),
};

export type Settings = ValueOf<typeof base> & ValueOf<typeof fields>;

/** Of carts that say nothing themselves. */
export function cartDays({
  carts,
}: {
  readonly carts?: { readonly deleteDaysAfterLastModification?: number };
}): number {
  return carts?.deleteDaysAfterLastModification ?? cartsDays;
}

/** Of shopping lists that say nothing themselves. Older settings lack it. */
export function shoppingListDays({ shoppingLists }: Partial<Pick<Settings, 'shoppingLists'>>): number {
  return shoppingLists?.deleteDaysAfterLastModification ?? shoppingListsDays;
}
