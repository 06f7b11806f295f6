import { action, change, invalidOperation, set } from '../../engine/actions.ts';
import { customActions } from '../../engine/custom-actions.ts';
import { defineResource } from '../../engine/define.ts';
import type { Document, Fixed } from '../../engine/document.ts';
import type { Found } from '../../engine/resource.ts';
import { defaulted, required } from '../../fields/field.ts';
import type { Reference } from '../../fields/parsing.ts';
import { boolean } from '../../fields/scalar.ts';
import { draft, fields, type Review, state } from './fields.ts';
import { statisticsOfTargets } from './statistics.ts';

/** What is asked of a state. */
interface State {
  readonly initial: boolean;
  readonly roles: readonly string[];
  readonly transitions?: readonly Reference[];
}

/** Stored states were parsed by their kind. */
function stateOf(found: Pick<Found, 'one'>, { id }: Reference): (Fixed<Document> & State) | undefined {
  return found.one('state', id) as (Fixed<Document> & State) | undefined;
}

const transitionState = action(
  { state: required(state), force: defaulted(boolean(), () => false) },
  (review: Review, { state: next, force }, { found }) => {
    const { state: current } = review;
    if (!force) requireTransition(found, current, next);
    review.state = next;
  },
);

/** From a state that names its transitions one of them leads on, and a review without a state begins with an initial one. */
function requireTransition(found: Pick<Found, 'one'>, current: Reference | undefined, next: Reference): void {
  if (current === undefined) {
    if (stateOf(found, next)?.initial === true) return;
    throw invalidOperation(`The state '${next.id}' is not initial, so a review cannot begin with it.`);
  }
  const transitions = stateOf(found, current)?.transitions;
  if (transitions === undefined || transitions.some(({ id }) => id === next.id)) return;
  throw invalidOperation(`There is no transition from the state '${current.id}' to '${next.id}'.`);
}

export const review = defineResource({
  kind: 'review',
  typeName: 'Review',
  path: 'reviews',
  scopes: { view: ['view_products'], manage: ['manage_products'] },
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
    compute: (review, found) => {
      const current = review.state && stateOf(found, review.state);
      review.includedInStatistics = current === undefined || current.roles.includes('ReviewIncludedInStatistics');
    },
  },
  along: statisticsOfTargets,
  // Which reviews count is for the roles of their states to say.
  follows: [
    { kind: 'state', where: ([id]) => `state(id="${id}")`, mark: ({ document }) => JSON.stringify(document['roles']) },
  ],
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
