import { isDeepStrictEqual } from 'node:util';
import { action, change, set } from '../../engine/actions.ts';
import { customActions } from '../../engine/custom-actions.ts';
import { defineResource } from '../../engine/define.ts';
import { defaulted, required } from '../../fields/field.ts';
import { boolean } from '../../fields/scalar.ts';
import { requireTransition, stateOf } from '../state/offers.ts';
import { draft, fields, type Review, state } from './fields.ts';
import { messages } from './messages.ts';
import { statisticsOfTargets, statisticsWithoutReview } from './statistics.ts';

const transitionState = action(
  { state: required(state), force: defaulted(boolean(), () => false) },
  (review: Review, { state: next, force }, { found }) => {
    if (!force) requireTransition(found, { before: review.state, next });
    review.state = next;
  },
);

export const review = defineResource({
  kind: 'review',
  typeName: 'Review',
  path: 'reviews',
  scopes: { view: ['view_products'], manage: ['manage_products'] },
  followedBy: 'viewers',
  holdsPersonalData: true,
  fields,
  draft,
  // The computation has the last word on statistics.
  create: (given) => ({ ...given, includedInStatistics: true }),
  actions: {
    setAuthorName: set('authorName'),
    setCustomer: set('customer'),
    setKey: set('key'),
    setLocale: set('locale'),
    setRating: set('rating'),
    setTarget: change('target'),
    setText: set('text'),
    setTitle: set('title'),
    transitionState,
    ...customActions,
  },
  computation: {
    reads: { state: ['state.id'] },
    readsAll: [],
    // What the roles of a state come to be later says nothing of the reviews that are in it.
    compute: (review, found, { before }) => {
      if (before !== undefined && isDeepStrictEqual(before['state'], review.state)) return;
      const current = review.state && stateOf(found, review.state);
      review.includedInStatistics = current === undefined || current.roles.includes('ReviewIncludedInStatistics');
    },
  },
  along: statisticsOfTargets,
  alongRemoval: statisticsWithoutReview,
  messages,
  uniqueValues: ({ uniquenessValue }) =>
    uniquenessValue === undefined ? [] : [{ field: 'uniquenessValue', value: uniquenessValue }],
  // The example of a state is one of reviews.
  examples: { actions: { transitionState: { force: true } } },
  graphql: {
    members: {
      'SetReviewTarget.target': 'TargetReferenceInput',
      'TransitionReviewState.force': 'Boolean = false',
    },
  },
});
