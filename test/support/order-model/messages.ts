/** How the model tells of what becomes of an order (orders 40, 42). */
import type { Input } from './inputs.ts';
import type { ModelMessage, OrderDocument, World } from './world.ts';

/** A write that is being made. */
export interface Telling {
  world: World;
  order: OrderDocument;
  now: string;
  told: (ModelMessage | Pending)[];
}

/** A message whose payload is known when the write is done. */
interface Pending {
  type: string;
  payload: (made: OrderDocument) => object;
}

/** Of an action, on an order that it changes in place. */
export type Apply = (telling: Telling, input: Input) => void;

/** Tells one more thing of the order. A payload that is a function is of the order as it is stored. */
export function tell({ told }: Telling, type: string, payload: object | ((made: OrderDocument) => object)): void {
  // What is told does not change with what becomes of the parts afterwards.
  const then = typeof payload === 'function' ? undefined : structuredClone(payload);
  told.push({ type, payload: then === undefined ? (payload as (made: OrderDocument) => object) : () => then });
}

/** The messages of a write that is done, which count on. Those of what else was written have their numbers. */
export function messagesOf({ order, told, now }: Telling): readonly ModelMessage[] {
  const pending = told.filter((one) => 'payload' in one);
  const first = order.lastMessageSequenceNumber;
  order.lastMessageSequenceNumber += pending.length;
  return told.map((one): ModelMessage => {
    if (!('payload' in one)) return one as ModelMessage;
    const { type, payload } = one as Pending;
    return {
      ...(structuredClone(payload(order)) as object),
      type,
      sequenceNumber: first + pending.indexOf(one) + 1,
      resource: { typeId: 'order', id: order.id },
      resourceVersion: order.version,
      createdAt: now,
      ...(order.orderNumber !== undefined && {
        resourceUserProvidedIdentifiers: { orderNumber: order.orderNumber },
      }),
    };
  });
}
