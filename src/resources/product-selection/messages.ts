import type { MessagesDeclaration } from '../../engine/define.ts';
import { type Fixed, versioned } from '../../engine/document.ts';
import { messageType, told, type Told } from '../../engine/messages.ts';
import { type ActionChange, type Teller, whenChanged } from '../../engine/tellers.ts';
import { embedded } from '../../fields/embedded.ts';
import { optional, required } from '../../fields/field.ts';
import type { Reference } from '../../fields/parsing.ts';
import { reference } from '../../fields/reference.ts';
import { variantExclusion, type Variants, variantSelection } from '../product-selection-assignment/fields.ts';
import { lastNoted } from './actions.ts';
import { fields, type ProductSelection } from './fields.ts';

const ofProduct = { product: required(reference('product', 'Product', { strength: 'loose' })) };

const created = messageType('ProductSelectionCreated', {
  productSelection: required(embedded<ProductSelection>('ProductSelection', { ...versioned, ...fields })),
});
const deleted = messageType('ProductSelectionDeleted', {});
const added = messageType('ProductSelectionProductAdded', {
  ...ofProduct,
  variantSelection: optional(variantSelection),
});
const excluded = messageType('ProductSelectionProductExcluded', {
  ...ofProduct,
  variantExclusion: optional(variantExclusion),
});
const removed = messageType('ProductSelectionProductRemoved', ofProduct);
const exclusionChanged = messageType('ProductSelectionVariantExclusionChanged', {
  ...ofProduct,
  oldVariantExclusion: optional(variantExclusion),
  newVariantExclusion: optional(variantExclusion),
});
const selectionChanged = messageType('ProductSelectionVariantSelectionChanged', {
  ...ofProduct,
  oldVariantSelection: optional(variantSelection),
  newVariantSelection: optional(variantSelection),
});

type Assigned = Fixed<Variants> | undefined;

/** Of the product that the action names. What becomes of it stands in no document of the selection, but is noted. */
function tells(tell: (product: Reference, change: Pick<ActionChange<Assigned>, 'before' | 'after'>) => Told): Teller {
  // The actions are declared with the member.
  const productIn = (input: Readonly<Record<string, unknown>>): Reference => input['product'] as Reference;
  return whenChanged<ProductSelection, Assigned>(
    (selection, input, context) => lastNoted(selection, productIn(input).id, context).after,
    ({ input, ...change }) => [tell({ typeId: 'product', id: productIn(input).id }, change)],
  );
}

export const messages: MessagesDeclaration<ProductSelection> = {
  types: [created, deleted, added, excluded, removed, exclusionChanged, selectionChanged],
  created: (productSelection) => [told(created, { productSelection })],
  deleted: () => [told(deleted, {})],
  actions: {
    addProduct: tells((product, { after }) => told(added, { product, variantSelection: after?.variantSelection })),
    excludeProduct: tells((product, { after }) =>
      told(excluded, { product, variantExclusion: after?.variantExclusion }),
    ),
    removeProduct: tells((product) => told(removed, { product })),
    setVariantExclusion: tells((product, { before, after }) =>
      told(exclusionChanged, {
        product,
        oldVariantExclusion: before?.variantExclusion,
        newVariantExclusion: after?.variantExclusion,
      }),
    ),
    setVariantSelection: tells((product, { before, after }) =>
      told(selectionChanged, {
        product,
        oldVariantSelection: before?.variantSelection,
        newVariantSelection: after?.variantSelection,
      }),
    ),
  },
};
