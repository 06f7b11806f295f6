import type { MessagesDeclaration } from '../../engine/define.ts';
import { type Fixed, versioned } from '../../engine/document.ts';
import { messageType, told } from '../../engine/messages.ts';
import { whenChanged } from '../../engine/tellers.ts';
import { embedded } from '../../fields/embedded.ts';
import { optional, required } from '../../fields/field.ts';
import { boolean } from '../../fields/scalar.ts';
import { draft, fields, type Review, state } from './fields.ts';

const created = messageType('ReviewCreated', {
  review: required(embedded<Review>('Review', { ...versioned, ...fields })),
});
const ratingSet = messageType('ReviewRatingSet', {
  oldRating: draft.rating,
  newRating: draft.rating,
  includedInStatistics: required(boolean()),
  target: draft.target,
});
const stateTransition = messageType('ReviewStateTransition', {
  oldState: optional(state),
  newState: required(state),
  oldIncludedInStatistics: required(boolean()),
  newIncludedInStatistics: required(boolean()),
  target: draft.target,
  force: required(boolean()),
});

/** Whether the rating counts is known when the review is stored. */
export const messages: MessagesDeclaration<Review> = {
  types: [created, ratingSet, stateTransition],
  created: (review) => [told(created, { review })],
  actions: {
    setRating: whenChanged<Review, number | undefined>(
      ({ rating }) => rating,
      ({ before, after, document: { target } }) => [
        told(ratingSet, ({ includedInStatistics }: Fixed<Review>) => ({
          oldRating: before,
          newRating: after,
          includedInStatistics,
          target,
        })),
      ],
    ),
    transitionState: whenChanged<Review, Review['state']>(
      (review) => review.state,
      ({ before, after, document, input }) => {
        const { target, includedInStatistics: oldIncludedInStatistics } = document;
        return [
          told(stateTransition, ({ includedInStatistics }: Fixed<Review>) => ({
            oldState: before,
            newState: after!,
            oldIncludedInStatistics,
            newIncludedInStatistics: includedInStatistics,
            target,
            force: input['force'] === true,
          })),
        ];
      },
    ),
  },
};
