import type { MessagesDeclaration } from '../../engine/define.ts';
import { versioned } from '../../engine/document.ts';
import { messageType, told } from '../../engine/messages.ts';
import { tellsChange } from '../../engine/tellers.ts';
import { embedded } from '../../fields/embedded.ts';
import { optional, required } from '../../fields/field.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { type Category, fields } from './fields.ts';

const created = messageType('CategoryCreated', {
  category: required(embedded<Category>('Category', { ...versioned, ...fields })),
});

const slugChanged = messageType('CategorySlugChanged', {
  slug: required(localizedString()),
  oldSlug: optional(localizedString()),
});

export const messages: MessagesDeclaration<Category> = {
  types: [created, slugChanged],
  created: (category) => [told(created, { category })],
  actions: { changeSlug: tellsChange(slugChanged, 'slug') },
};
