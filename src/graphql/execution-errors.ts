import { GraphQLError } from 'graphql';

/** graphql-js passes on errors that have a place. Of each that has none it makes another, which takes far longer. */
export function withPlace(error: unknown): GraphQLError {
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError, path: [] });
}

/** What was thrown, below all errors that were made of it. Undefined for one that an executor found by itself. */
export function thrownOf({ originalError, message }: GraphQLError): Error | undefined {
  // Of a value that must not be null graphql-js tells by an error that it throws, and compiled code by one of its own.
  const isOfNull = (originalError ?? undefined) === undefined && message.startsWith('Cannot return null for non-null');
  if (isOfNull) return new Error(message);
  const isMade = originalError instanceof GraphQLError && originalError.originalError !== undefined;
  return isMade ? thrownOf(originalError) : (originalError ?? undefined);
}

/** What was thrown, where an executor may have made an error of it. */
export function causeOf(rejected: unknown): unknown {
  return rejected instanceof GraphQLError ? (thrownOf(rejected) ?? rejected) : rejected;
}

/** Nobody is told, for the answer is refused as a whole. */
export const noRoom = withPlace(new Error('The answer has no more room.'));
