/** The state that every project has from the start (orders 31). */
import { randomUUID } from 'node:crypto';
import type { FirstDocument } from '../../engine/projects.ts';

/** In it is every unit of an item that was ordered. */
export const initialKey = 'Initial';

export function initialState(now: string): FirstDocument {
  const id = randomUUID();
  const document = {
    id,
    version: 1,
    createdAt: now,
    lastModifiedAt: now,
    key: initialKey,
    type: 'LineItemState',
    initial: true,
    builtIn: true,
    roles: [],
  };
  return { kind: 'state', id, key: initialKey, json: JSON.stringify(document) };
}
