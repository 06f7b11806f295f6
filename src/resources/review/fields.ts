import type { DocumentOf } from '../../engine/document.ts';
import { customFields } from '../../fields/custom-fields.ts';
import { assigned, type FieldKind, optional, required } from '../../fields/field.ts';
import { json } from '../../fields/json.ts';
import { object } from '../../fields/object.ts';
import { reference } from '../../fields/reference.ts';
import { referenceToAny } from '../../fields/reference-to-any.ts';
import { boolean, decimal, integer, key, locale, text } from '../../fields/scalar.ts';
import { stateOfType } from '../state/offers.ts';

/**
 * What shoppers wrote forbids no deletion: products, channels and customers may go, and their reviews stay. The public
 * texts do not say so.
 */
const strength = 'loose';

const target = referenceToAny('ReviewTarget', {
  input: 'TargetReferenceInput',
  targets: { product: 'Product', channel: 'Channel' },
  strength,
});

export const state = stateOfType('ReviewState');

export const draft = {
  key: optional(key()),
  /** Clients make it of what they allow one review for, such as a customer and a product. */
  uniquenessValue: optional(text()),
  locale: optional(locale()),
  authorName: optional(text(['Jane'])),
  title: optional(text()),
  text: optional(text()),
  target: optional(target),
  rating: optional(integer({ min: -100, max: 100, type: 'Int' })),
  state: optional(state),
  customer: optional(reference('customer', 'Customer', { strength })),
  custom: optional(customFields('review')),
};

export const fields = {
  ...draft,
  /** Follows from the roles that the state has when it is set: whether the rating counts in the statistics of the target. */
  includedInStatistics: assigned(boolean(), () => true),
};

export type Review = DocumentOf<typeof fields>;

const rating = decimal({ min: -100, max: 100 });

const distribution: FieldKind<Record<string, number>> = {
  ...json(),
  // It is never parsed.
  parse: (_, parsing) => parsing.wrongType('nothing', undefined),
};

/** Of all reviews of a product or a channel that count. */
export const reviewRatingStatistics = object('ReviewRatingStatistics', {
  averageRating: required(rating),
  highestRating: required(integer({ type: 'Int' })),
  lowestRating: required(integer({ type: 'Int' })),
  count: required(integer()),
  ratingsDistribution: required(distribution),
});

export type ReviewRatingStatistics = NonNullable<ReturnType<typeof reviewRatingStatistics.parse>>;
