import type { MessagesDeclaration } from '../../engine/define.ts';
import { versioned } from '../../engine/document.ts';
import { messageType, told } from '../../engine/messages.ts';
import { tellsChange } from '../../engine/tellers.ts';
import { embedded } from '../../fields/embedded.ts';
import { optional, required } from '../../fields/field.ts';
import { boolean, text } from '../../fields/scalar.ts';
import { type DiscountGroup, fields } from './fields.ts';

const created = messageType('DiscountGroupCreated', {
  discountGroup: required(embedded<DiscountGroup>('DiscountGroup', { ...versioned, ...fields })),
});
const deleted = messageType('DiscountGroupDeleted', {});
const isActiveSet = messageType('DiscountGroupIsActiveSet', {
  isActive: optional(boolean()),
  oldIsActive: optional(boolean()),
});
const keySet = messageType('DiscountGroupKeySet', { key: optional(text()), oldKey: optional(text()) });
const sortOrderSet = messageType('DiscountGroupSortOrderSet', {
  sortOrder: optional(text()),
  oldSortOrder: optional(text()),
});

export const messages: MessagesDeclaration<DiscountGroup> = {
  types: [created, deleted, isActiveSet, keySet, sortOrderSet],
  created: (discountGroup) => [told(created, { discountGroup })],
  deleted: () => [told(deleted, {})],
  actions: {
    setIsActive: tellsChange(isActiveSet, 'isActive'),
    setKey: tellsChange(keySet, 'key'),
    setSortOrder: tellsChange(sortOrderSet, 'sortOrder'),
  },
};
