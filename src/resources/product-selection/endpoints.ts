import { versioned } from '../../engine/document.ts';
import { endpoint } from '../../engine/endpoint.ts';
import { documentOf, type Json } from '../../engine/json.ts';
import { wholeOf } from '../../engine/lens.ts';
import { existing, type Identity, lookupOf } from '../../engine/operations/get.ts';
import type { AnswerList, Endpoint, EndpointRequest, Engine } from '../../engine/resource.ts';
import { apiError } from '../../errors/api-error.ts';
import { required } from '../../fields/field.ts';
import { text } from '../../fields/scalar.ts';
import { fields as assignment, variants } from '../product-selection-assignment/fields.ts';
import { assignmentPage } from '../product-selection-assignment/offers.ts';
import type { Store } from '../store/fields.ts';

const scopes = ['view_product_selections'];

const { product, productSelection } = assignment;
const { createdAt, lastModifiedAt } = versioned;

/** Each list shows assignments without what its path says already. */
const productsOfSelection: AnswerList = {
  itemName: 'AssignedProductReference',
  pageName: 'ProductSelectionProductPagedQueryResponse',
  typeName: 'ProductOfSelection',
  itemFields: { product, ...variants },
};

const selectionsOfProduct: AnswerList = {
  itemName: 'AssignedProductSelection',
  pageName: 'AssignedProductSelectionPagedQueryResponse',
  typeName: 'SelectionOfProduct',
  // GraphQL alone has the last moment in its description, and so do both.
  itemFields: { productSelection, ...variants, createdAt, lastModifiedAt },
};

const assignmentsInStore: AnswerList = {
  itemName: 'ProductSelectionAssignment',
  pageName: 'ProductsInStorePagedQueryResponse',
  typeName: 'ProductAssignment',
  itemFields: { product, productSelection, ...variants },
};

type ListRequest = Omit<EndpointRequest, 'parameters' | 'body'>;

function pageOf(engine: Engine, { context, query }: ListRequest, list: AnswerList, where: string): Promise<Json> {
  // Whoever asks for a list gives its arguments.
  return assignmentPage(engine, { context, query: query! }, { where, members: Object.keys(list.itemFields) });
}

interface Below {
  /** Behind the path of the resource that the assignments are of, and in its GraphQL type. */
  readonly path: string;
  readonly listField: string;
  /** The member of an assignment that leads to the resource. */
  readonly member: string;
  readonly list: AnswerList;
  readonly summary: string;
}

/** The list of a resource by its id and by its key. */
function listsBelow({ path, listField, member, list, summary }: Below): readonly Endpoint[] {
  const run = async (engine: Engine, request: ListRequest, identity: Identity): Promise<Json> => {
    const { context, resource } = request;
    // That there is a product says no more than the list does, whoever may see the product itself.
    const [found] = await wholeOf(engine.store).find(context.project.key, [lookupOf(resource, identity)]);
    const { id } = existing(found, { resource, identity });
    return pageOf(engine, request, list, `${member}(id="${id}")`);
  };
  const usual = { scopes, answer: list, summary };
  return [
    endpoint({
      ...usual,
      path: `{ID}/${path}`,
      parameters: { ID: required(text()) },
      listField,
      run: (engine, request) => run(engine, request, { id: request.parameters.ID }),
    }),
    endpoint({
      ...usual,
      path: `key={key}/${path}`,
      parameters: { key: required(text()) },
      run: (engine, request) => run(engine, request, { key: request.parameters.key }),
    }),
  ];
}

export const productLists = listsBelow({
  path: 'products',
  listField: 'productRefs',
  member: 'productSelection',
  list: productsOfSelection,
  summary: 'Query the products of a product selection.',
});

/** Of products. */
export const selectionLists = listsBelow({
  path: 'product-selections',
  listField: 'productSelectionRefs',
  member: 'product',
  list: selectionsOfProduct,
  summary: 'Query the product selections that a product is in.',
});

/** Of all selections of the project or, in a store, of those that are active there; of both modes. */
export const allAssignments = endpoint({
  path: '/product-selection-assignments',
  isInStore: true,
  scopes,
  answer: assignmentsInStore,
  query: { name: 'productSelectionAssignments', args: {} },
  summary: 'Query the products of product selections.',
  run: async (engine, request) => pageOf(engine, request, assignmentsInStore, await placeOf(engine, request)),
});

async function placeOf({ store }: Engine, { context, storeKey }: ListRequest): Promise<string> {
  if (storeKey === undefined) return 'id is defined';
  const [found] = await store.find(context.project.key, [{ kind: 'store', key: storeKey }]);
  if (found === undefined) throw apiError('ResourceNotFound', `The Store with key '${storeKey}' was not found.`);
  const { productSelections } = documentOf<Store>(found.json);
  const active = productSelections.filter((each) => each.active).map((each) => `"${each.productSelection.id}"`);
  return active.length === 0 ? 'id is not defined' : `productSelection(id in (${active.join(', ')}))`;
}
