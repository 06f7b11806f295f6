import type { DocumentOf } from '../../engine/document.ts';
import { customFields } from '../../fields/custom-fields.ts';
import { assigned, optional } from '../../fields/field.ts';
import { reference } from '../../fields/reference.ts';
import { referenceToAny } from '../../fields/reference-to-any.ts';
import { boolean, integer, key, locale, text } from '../../fields/scalar.ts';

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

/** A state that reviews may be in. */
export const state = {
  ...reference('state', 'State', {
    lacks: ({ id, type }) => {
      if (type === 'ReviewState') return undefined;
      const message = `The state with ID '${String(id)}' is a ${String(type)}, but a review needs a ReviewState.`;
      return { code: 'InvalidOperation', message };
    },
  }),
  examples: [{ typeId: 'state', key: 'example-state-review' }],
};

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
  /** Follows from the state: whether the rating counts in the statistics of the target. */
  includedInStatistics: assigned(boolean(), () => true),
};

export type Review = DocumentOf<typeof fields>;
