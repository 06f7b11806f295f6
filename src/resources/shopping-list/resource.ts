import { change, set } from '../../engine/actions.ts';
import { customActions } from '../../engine/custom-actions.ts';
import { defineResource } from '../../engine/define.ts';
import { differentKeys } from '../../engine/parts.ts';
import type { ApplyContext } from '../../engine/resource.ts';
import type { ValueOf } from '../../fields/field.ts';
import { shoppingListDays } from '../project/fields.ts';
import { asProduct, addLineItem, addTextLineItem, holdersOf } from './line-items.ts';
import { lineItemActions, ownerActions, setDeleteDaysAfterLastModification, textLineItemActions } from './actions.ts';
import { draft, fields, ownMembers, type ShoppingList } from './fields.ts';
import { follows, ofProducts } from './of-products.ts';
import { messages } from './messages.ts';
import { heldSlugs, oneOwner, requireWithinLimit } from './rules.ts';
import { shownSlug, shownVariant } from './shown-product.ts';

/** What customers and visitors do with their lists. GraphQL has the store among it. */
const ownActions = {
  changeName: change('name'),
  setDescription: set('description'),
  ...lineItemActions,
  ...textLineItemActions,
  setDeleteDaysAfterLastModification,
  ...customActions,
  setStore: set('store'),
};

type Body = ValueOf<typeof fields>;

async function listOf(
  { lineItems, textLineItems, deleteDaysAfterLastModification, businessUnit: _, ...given }: ValueOf<typeof draft>,
  context: ApplyContext,
): Promise<Body> {
  requireWithinLimit('lineItems', lineItems.length);
  const list: Body = {
    ...given,
    lineItems: [],
    textLineItems: [],
    deleteDaysAfterLastModification: deleteDaysAfterLastModification ?? shoppingListDays(context.project.settings),
  };
  // Items are added as by actions.
  for (const item of lineItems) {
    addLineItem(list as ShoppingList, item, context);
    await context.turn();
  }
  for (const item of textLineItems) addTextLineItem(list as ShoppingList, item, context);
  return list;
}

// Drafts have an example of each.
const [exampleItem] = draft.lineItems.kind.examples[0] as readonly object[];
const [exampleTextItem] = draft.textLineItems.kind.examples[0] as readonly object[];

export const shoppingList = defineResource({
  kind: 'shopping-list',
  typeName: 'ShoppingList',
  path: 'shopping-lists',
  scopes: { view: ['view_shopping_lists'], manage: ['manage_shopping_lists'] },
  isExtensible: true,
  inStore: { member: 'store', isReadOnly: false },
  followedBy: 'viewers',
  holdsPersonalData: true,
  retention: { daysMember: 'deleteDaysAfterLastModification', countMax: 10_000_000 },
  fields,
  draft,
  draftHolders: ({ lineItems }) => lineItems.flatMap(holdersOf),
  create: listOf,
  actions: {
    ...ownActions,
    setKey: set('key'),
    setSlug: set('slug'),
    ...ownerActions,
  },
  mine: {
    path: 'shopping-lists',
    scopes: ['manage_my_shopping_lists'],
    owners: { customer: 'customer', anonymous: 'anonymousId' },
    draft: ownMembers,
    actions: Object.keys(ownActions),
  },
  computation: ofProducts,
  follows,
  expansions: {
    list: 'lineItems',
    kind: 'product',
    targetOf: (item) => String(item['productId']),
    members: {
      variant: (item, product) => shownVariant(asProduct(product)!, item as { productId: string; variantId?: number }),
      productSlug: (_, product) => shownSlug(asProduct(product)!),
    },
  },
  messages,
  rules: [oneOwner, differentKeys('lineItems'), differentKeys('textLineItems')],
  uniqueValues: heldSlugs,
  graphql: {
    queryInterfaces: { ShoppingListQueryInterface: ['shoppingList', 'shoppingLists'] },
    members: {
      'ShoppingList.deleteDaysAfterLastModification': 'Int',
      'ShoppingListDraft.lineItems': '[ShoppingListLineItemDraft!] = []',
      'ShoppingListDraft.textLineItems': '[TextLineItemDraft!] = []',
      'MyShoppingListDraft.lineItems': '[ShoppingListLineItemDraft!] = []',
      'MyShoppingListDraft.textLineItems': '[TextLineItemDraft!] = []',
      'ShoppingListLineItemDraft.quantity': 'Int = 1',
      'TextLineItemDraft.quantity': 'Int = 1',
      'AddShoppingListLineItem.quantity': 'Int = 1',
      'AddShoppingListTextLineItem.quantity': 'Int = 1',
    },
  },
  examples: {
    // A list has one owner.
    draft: {
      anonymousId: undefined,
      lineItems: [exampleItem, { ...exampleItem, key: 'second-item', custom: undefined }],
      textLineItems: [exampleTextItem, { ...exampleTextItem, key: 'second-item' }],
    },
    actions: {
      changeLineItemsOrder: { lineItemOrder: ['{lineItems[1].id}', '{lineItems[0].id}'] },
      changeTextLineItemsOrder: { textLineItemOrder: ['{textLineItems[1].id}', '{textLineItems[0].id}'] },
    },
    // The variant that the SKU of the example names.
    beside: [{ typeId: 'product', key: 'example-product' }],
  },
});
