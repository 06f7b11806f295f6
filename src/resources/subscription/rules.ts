import type { Fixed } from '../../engine/document.ts';
import { isSameJson } from '../../engine/json.ts';
import type { Check } from '../../engine/resource.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import type { Subscription } from './fields.ts';

export function somethingIsHeard({ messages, changes, events }: Fixed<Subscription>): ErrorElement | undefined {
  if (messages.length + changes.length + events.length > 0) return undefined;
  return {
    code: 'InvalidInput',
    message: "A subscription hears of something, but 'messages', 'changes' and 'events' are all empty.",
  };
}

export function formatFault({ destination, format }: Fixed<Subscription>): ErrorElement | undefined {
  if (destination.type !== 'EventGrid' || format.type === 'CloudEvents') return undefined;
  return {
    code: 'InvalidInput',
    message: `The format of a subscription with the destination EventGrid is CloudEvents, but ${format.type} is given.`,
  };
}

/** Of kinds that are there, their messages have the types that they declare; of others nothing is known. */
export const namesTypes: Check = ({ registry }, { before, after }) => {
  // The documents were made by the declared fields.
  const [was, { messages }] = [before, after] as unknown as readonly [Subscription | undefined, Subscription];
  if (was !== undefined && isSameJson(was.messages, messages)) return Promise.resolve(undefined);
  for (const [index, { resourceTypeId, types }] of messages.entries()) {
    const known = registry.byKind.get(resourceTypeId)?.telling?.types.map(({ type }) => type);
    const unknown = known && types.find((type) => !known.includes(type));
    if (unknown !== undefined)
      return Promise.resolve({
        code: 'InvalidInput',
        message: `'messages[${index}].types' names '${unknown}', which is no type of the messages of ${resourceTypeId}.`,
      });
  }
  return Promise.resolve(undefined);
};

/** Nothing is stored before a notification of it has reached its destination. */
export const isReached: Check = async (engine, { project, before, after, internals }) => {
  if (before !== undefined && internals === undefined && isSameJson(before['destination'], after['destination']))
    return undefined;
  const failure = await engine.listeners.tryOut(engine, project, { document: after, internals: internals ?? {} });
  if (failure === undefined) return undefined;
  return {
    code: 'InvalidInput',
    message: `A test notification could not be delivered: the 'destination' ${failure}.`,
  };
};
