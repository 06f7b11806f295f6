import type { MessagesDeclaration } from '../../engine/define.ts';
import type { Document } from '../../engine/document.ts';
import { customMessages, ofItself } from '../../engine/tellers.ts';

const { types, ...actions } = customMessages<Document>(
  'CustomerGroup',
  { resourceTypeId: 'customer-group', typeId: 'oldTypeId', value: 'oldValue' },
  ofItself,
);

export const messages: MessagesDeclaration<Document> = { types, actions };
