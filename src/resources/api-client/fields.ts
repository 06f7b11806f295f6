import { assigned, assignedOptional, optional, required } from '../../fields/field.ts';
import { date, dateTime, integer, text } from '../../fields/scalar.ts';

/** What the platform keeps of every client; it has no version, for it never changes. */
export const base = { id: assigned(text()), createdAt: assignedOptional(dateTime()) };

const validity = {
  /** Seconds for which its access tokens hold. */
  accessTokenValiditySeconds: optional(integer({ min: 3600, max: 604_800, type: 'Int' })),
  /** Seconds for which its refresh tokens hold after their last use. */
  refreshTokenValiditySeconds: optional(integer({ min: 30, max: 31_536_000, type: 'Int' })),
};

export const fields = {
  name: required(text()),
  /** Scopes, separated by blanks. */
  scope: required(text()),
  /** The day on which it last asked for a token. */
  lastUsedAt: assignedOptional(date()),
  deleteAt: assignedOptional(dateTime()),
  ...validity,
};

/** Days after which a client may be deleted; a hundred years is as good as never. */
const daysMax = 36_500;

export const draft = {
  name: required(text(['Storefront'])),
  scope: required(text(['view_products:{projectKey}'])),
  deleteDaysAfterCreation: optional(integer({ min: 0, max: daysMax, type: 'Int' })),
  ...validity,
};
