import type { MessagesDeclaration } from '../../engine/define.ts';
import { versioned } from '../../engine/document.ts';
import { messageType, told } from '../../engine/messages.ts';
import { tellsChange } from '../../engine/tellers.ts';
import { embedded } from '../../fields/embedded.ts';
import { optional, required } from '../../fields/field.ts';
import { text } from '../../fields/scalar.ts';
import { type DiscountCode, fields } from './fields.ts';

const created = messageType('DiscountCodeCreated', {
  discountCode: required(embedded<DiscountCode>('DiscountCode', { ...versioned, ...fields })),
});
const deleted = messageType('DiscountCodeDeleted', {});
const keySet = messageType('DiscountCodeKeySet', { key: optional(text()), oldKey: optional(text()) });

export const messages: MessagesDeclaration<DiscountCode> = {
  types: [created, deleted, keySet],
  created: (discountCode) => [told(created, { discountCode })],
  deleted: () => [told(deleted, {})],
  actions: { setKey: tellsChange(keySet, 'key') },
};
