import type { Fixed } from '../../engine/document.ts';
import { isSameJson } from '../../engine/json.ts';
import type { Check, Engine } from '../../engine/resource.ts';
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

/** What has to hold before a destination is tried out, and that it is reached: nothing is stored before that. */
export const isDeliverable: Check = async (engine, change) => {
  // The documents were made by the declared fields.
  const [before, after] = [change.before, change.after] as unknown as readonly [Subscription | undefined, Subscription];
  if (before === undefined || !isSameJson(before.messages, after.messages)) {
    const unknown = unknownType(engine, after);
    if (unknown !== undefined) return unknown;
  }
  const { project, internals } = change;
  if (before !== undefined && internals === undefined && isSameJson(before.destination, after.destination))
    return undefined;
  const candidate = { document: change.after, internals: internals ?? {} };
  const failure = await engine.listeners.tryOut(project, candidate);
  if (failure === undefined) return undefined;
  return {
    code: 'InvalidInput',
    message: `A test notification could not be delivered: the 'destination' ${failure}.`,
  };
};

/** About kinds that tell something there are the types that are declared; of others nothing is known. */
function unknownType({ registry }: Pick<Engine, 'registry'>, { messages }: Subscription): ErrorElement | undefined {
  for (const [index, { resourceTypeId, types }] of messages.entries()) {
    const known = registry.resources.flatMap(({ kind, telling }) =>
      telling !== undefined && (telling.about ?? kind) === resourceTypeId ? telling.types.map(({ type }) => type) : [],
    );
    const unknown = types.find((type) => !known.includes(type));
    if (known.length > 0 && unknown !== undefined)
      return {
        code: 'InvalidInput',
        message: `'messages[${index}].types' names '${unknown}', which is no type of the messages of ${resourceTypeId}.`,
      };
  }
  return undefined;
}
