/** What assignments do for product selections, with which they are written and through which they show. */
import type { RequestContext } from '../../engine/context.ts';
import type { Document, Fixed } from '../../engine/document.ts';
import { readGrouped } from '../../engine/groups.ts';
import { documentOf, type Json } from '../../engine/json.ts';
import { planInsertion, planReplacement, planUnreadRemoval } from '../../engine/operations/plan.ts';
import { pageJson, query } from '../../engine/operations/query.ts';
import type { QueryArguments } from '../../engine/query-arguments.ts';
import { represent } from '../../engine/operations/represent.ts';
import type { Engine, Found, Planned } from '../../engine/resource.ts';
import type { UniqueLookup } from '../../engine/store.ts';
import { heldBy, type ProductSelectionAssignment, type Variants } from './fields.ts';
import { productSelectionAssignment as resource } from './resource.ts';

const { kind } = resource;

export type Assignment = Fixed<ProductSelectionAssignment>;

/** A product in a selection, by their ids. */
export interface Place {
  readonly selection: string;
  readonly product: string;
}

/** By which an action has the assignment looked up. */
export function assignmentLookup({ selection, product }: Place): UniqueLookup {
  return { kind, unique: heldBy(selection, product) };
}

/** What was looked up, where the product is in the selection. */
export function foundAssignment(found: Pick<Found, 'holder'>, { selection, product }: Place): Assignment | undefined {
  const { field, value } = heldBy(selection, product);
  // Stored assignments were parsed by their kind.
  return found.holder(kind, field, value) as Assignment | undefined;
}

/** Has a product be in a selection with these variants, or (undefined) no more. */
export async function planAssignment(
  engine: Engine,
  context: RequestContext,
  {
    selection,
    product,
    before,
    after,
  }: Place & { readonly before: Assignment | undefined; readonly after: Fixed<Variants> | undefined },
): Promise<readonly Planned[]> {
  if (before === undefined) {
    if (after === undefined) return [];
    const links = {
      product: { typeId: 'product', id: product },
      productSelection: { typeId: 'product-selection', id: selection },
    };
    return [await planInsertion(engine, { context, resource, body: { ...links, ...after } })];
  }
  if (after === undefined) return [planUnassignment(engine, before)];
  const document = before as Document;
  const { variantSelection: _, variantExclusion: _e, ...others } = document;
  const change = { context, resource, id: before.id, before: document, after: { ...others, ...after } as Document };
  return [(await planReplacement(engine, change)) ?? []].flat();
}

/** The removal of an assignment. */
export function planUnassignment(engine: Engine, assignment: Assignment): Planned {
  return planUnreadRemoval(engine, { resource, seen: assignment, version: assignment.version });
}

/** The assignments of products, by their ids. */
export async function assignmentsOfProducts(
  store: Pick<Engine['store'], 'findGrouped'>,
  project: string,
  products: readonly string[],
): Promise<readonly Assignment[]> {
  return readGrouped<Assignment>({ store, project }, { kind, member: 'product.id', values: products });
}

/** A page of the assignments that a predicate describes, each with these of its members. */
export async function assignmentPage(
  engine: Engine,
  { context, query: asked }: { readonly context: RequestContext; readonly query: QueryArguments },
  { where, members }: { readonly where: string; readonly members: readonly string[] },
): Promise<Json> {
  const whole = { ...asked, where: [where, ...asked.where], expand: [] };
  const { results, ...page } = await query(engine, { context, resource, query: whole });
  const shown = results.map((json) => JSON.stringify(picked(documentOf(json), members)));
  return pageJson({ ...page, results: await represent(engine, context, shown, asked.expand) });
}

function picked(document: Document, members: readonly string[]): object {
  return Object.fromEntries(members.map((name) => [name, document[name]]));
}
