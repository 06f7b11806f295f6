import type { Document, Fixed } from '../../../engine/document.ts';

const indexes = new WeakMap<readonly Fixed<Document>[], ReadonlyMap<string, Fixed<Document>>>();

/** All of a kind by their ids, made once for as long as none of them changes. */
export function indexed(documents: readonly Fixed<Document>[]): ReadonlyMap<string, Fixed<Document>> {
  let index = indexes.get(documents);
  if (index === undefined) indexes.set(documents, (index = new Map(documents.map((each) => [each.id, each]))));
  return index;
}
