/** Projections as their paths show them, for what is made from them. */
import type { Resource } from '../../../engine/resource.ts';
import { type View, viewsOf } from '../../../engine/views.ts';
import { productProjection } from '../projection.ts';

/** The resource of products as their projections show. */
export function projectionIn({ projections }: Resource): Resource {
  return projections.find(({ path }) => path === productProjection.path)!;
}

/** Where projections are found, in a store or in the project. */
export function projectionView(resource: Resource, storeKey: string | undefined): View {
  const projection = projectionIn(resource);
  const isInStore = storeKey !== undefined;
  return viewsOf(resource).find((view) => view.resource === projection && view.isInStore === isInStore)!;
}
