import { change, set } from '../../engine/actions.ts';
import { customActions } from '../../engine/custom-actions.ts';
import { defineResource } from '../../engine/define.ts';
import { apiError } from '../../errors/api-error.ts';
import type { ValueOf } from '../../fields/field.ts';
import { addProduct, excludeProduct, removeProduct, setVariantExclusion, setVariantSelection } from './actions.ts';
import { assignments } from './along.ts';
import { allAssignments, productLists } from './endpoints.ts';
import { draft, fields, type Mode, modes } from './fields.ts';
import { messages } from './messages.ts';

/** Products that stores show, or do not show. Which those are, assignments say (`product-selection-assignment`). */
export const productSelection = defineResource({
  kind: 'product-selection',
  typeName: 'ProductSelection',
  path: 'product-selections',
  scopes: { view: ['view_product_selections'], manage: ['manage_product_selections'] },
  fields,
  draft,
  create: ({ mode: given, type: older, ...texts }) => {
    const mode = modeOf(given, older);
    return { ...texts, mode, type: typeOf(mode), productCount: 0 };
  },
  actions: {
    addProduct,
    changeName: change('name'),
    excludeProduct,
    removeProduct,
    setKey: set('key'),
    setVariantExclusion,
    setVariantSelection,
    ...customActions,
  },
  messages,
  along: assignments,
  endpoints: [...productLists, allAssignments],
  graphql: {
    queryInterfaces: { ProductSelectionQueryInterface: ['productSelectionAssignments'] },
    draft: 'CreateProductSelectionDraft',
    interfaces: ['Versioned'],
    members: { 'ProductSelection.type': null, 'ProductVariantExclusionDraft.skus': '[String!]' },
  },
  // Of each mode there is one example, for each has actions of its own.
  examples: {
    draft: { mode: 'IndividualExclusion' },
    actions: {
      setVariantSelection: { variantSelection: { type: 'includeAllExcept', skus: ['SKU-3'] } },
      setVariantExclusion: { variantExclusion: { skus: ['SKU-3'] } },
    },
  },
});

type Given = ValueOf<typeof draft>;

function modeOf(mode: Given['mode'], older: Given['type']): Mode {
  const meant = older && modes[older];
  if (mode !== undefined && meant !== undefined && mode !== meant)
    throw apiError('InvalidInput', `The mode is '${mode}', but the type '${older}' stands for '${meant}'.`);
  return mode ?? meant ?? 'Individual';
}

function typeOf(mode: Mode): keyof typeof modes {
  return mode === 'Individual' ? 'individual' : 'individualExclusion';
}
