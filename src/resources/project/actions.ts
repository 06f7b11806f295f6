import type { Action, ApplyContext } from '../../engine/resource.ts';
import { action } from '../../engine/actions.ts';
import { defaulted, type FieldKind, optional, required } from '../../fields/field.ts';
import { boolean, enumeration } from '../../fields/scalar.ts';
import {
  associateRole,
  businessUnitSearchStatus,
  businessUnitStatus,
  customerSearchStatus,
  passwordPolicy,
  orderSearchStatus,
  reservationMinutes,
  type Settings,
} from './fields.ts';

type SearchPart = keyof NonNullable<Settings['searchIndexing']>;

/** Writes the status of a search, and who changed it when. A status that is there already stays untouched. */
function setSearch(
  settings: Settings,
  [part, status]: readonly [SearchPart, 'Activated' | 'Indexing' | 'Deactivated'],
  { now, initiator }: ApplyContext,
): void {
  const { searchIndexing = {} } = settings;
  if (searchIndexing[part]?.status === status) return;
  settings.searchIndexing = { ...searchIndexing, [part]: { status, lastModifiedAt: now, lastModifiedBy: initiator } };
}

function changeSearchStatus(part: SearchPart, kind: FieldKind<'Activated' | 'Deactivated'>): Action {
  return action({ status: required(kind) }, (settings: Settings, { status }, context) => {
    setSearch(settings, [part, status], context);
  });
}

export const changeOrderSearchStatus = changeSearchStatus('orders', orderSearchStatus);
export const changeCustomerSearchStatus = changeSearchStatus('customers', customerSearchStatus);
export const changeBusinessUnitSearchStatus = changeSearchStatus('businessUnits', businessUnitSearchStatus);

/** GraphQL has no word for the mode. */
const mode: FieldKind<'ProductProjectionsSearch' | 'ProductsSearch'> = {
  ...enumeration('ProductSearchIndexingMode', ['ProductProjectionsSearch', 'ProductsSearch']),
  input: undefined,
};

/** Indexing begins when it is enabled; the feeder says when the products can be found. */
export const changeProductSearchIndexingEnabled = action(
  { enabled: required(boolean()), mode: defaulted(mode, () => 'ProductProjectionsSearch' as const) },
  (settings: Settings, { enabled, mode }, context) => {
    const part = mode === 'ProductsSearch' ? 'productsSearch' : 'products';
    const status = settings.searchIndexing?.[part]?.status ?? 'Deactivated';
    // What is being indexed, or has been, is enabled already.
    if (enabled === (status !== 'Deactivated')) return;
    setSearch(settings, [part, enabled ? 'Indexing' : 'Deactivated'], context);
  },
);

export const changeMessagesEnabled = action(
  { messagesEnabled: required(boolean()) },
  ({ messages }: Settings, { messagesEnabled }) => {
    messages.enabled = messagesEnabled;
  },
);

export const changeCountryTaxRateFallbackEnabled = action(
  { countryTaxRateFallbackEnabled: required(boolean()) },
  ({ carts }: Settings, input) => {
    carts.countryTaxRateFallbackEnabled = input.countryTaxRateFallbackEnabled;
  },
);

const roundingMode = enumeration('RoundingMode', ['HalfEven', 'HalfUp', 'HalfDown']);

export const changePriceRoundingMode = action(
  { priceRoundingMode: required(roundingMode) },
  ({ carts }: Settings, { priceRoundingMode }) => {
    carts.priceRoundingMode = priceRoundingMode;
  },
);

export const changeTaxRoundingMode = action(
  { taxRoundingMode: required(roundingMode) },
  ({ carts }: Settings, { taxRoundingMode }) => {
    carts.taxRoundingMode = taxRoundingMode;
  },
);

export const changeMyBusinessUnitStatusOnCreation = action(
  { status: required(businessUnitStatus) },
  ({ businessUnits }: Settings, { status }) => {
    businessUnits.myBusinessUnitStatusOnCreation = status;
  },
);

export const setMyBusinessUnitAssociateRoleOnCreation = action(
  { associateRole: optional(associateRole) },
  ({ businessUnits }: Settings, { associateRole: role }) => {
    if (role === undefined) delete businessUnits.myBusinessUnitAssociateRoleOnCreation;
    else businessUnits.myBusinessUnitAssociateRoleOnCreation = role;
  },
);

export const setReservationExpirationInMinutes = action(
  { reservationExpirationInMinutes: required(reservationMinutes) },
  ({ inventory }: Settings, { reservationExpirationInMinutes }) => {
    inventory.reservationExpirationInMinutes = reservationExpirationInMinutes;
  },
);

export const changePasswordPolicy = action(
  { passwordPolicy: required(passwordPolicy) },
  (settings: Settings, input) => {
    settings.customers = { ...settings.customers, passwordPolicy: input.passwordPolicy };
  },
);

export const setReleaseExpiredReservations = action(
  { releaseExpiredReservations: required(boolean()) },
  ({ inventory }: Settings, { releaseExpiredReservations }) => {
    inventory.releaseExpiredReservations = releaseExpiredReservations;
  },
);
