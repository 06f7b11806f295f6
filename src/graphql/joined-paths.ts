import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import { fragmentsOf, responseName } from './selections.ts';

/** What stands in the names of paths beside those that a text gives: elements of lists, and types of objects. */
const ownParts = /^(?:idx\d+|[A-Z].*)$/;

/**
 * Whether two paths of an answer may have one name where `_` joins their steps, the last one first, as graphql-jit names what it tells resolvers
 * of their fields: one would be told of the other. An alias may have any number of such characters. The text is small, for
 * fragments are looked through at each place where they are spread.
 */
export function joinsPaths(document: DocumentNode, { selectionSet }: OperationDefinitionNode): boolean {
  const fragments = fragmentsOf(document);
  const paths = new Map<string, string>();
  const visit = ({ selections }: SelectionSetNode, path: string): boolean =>
    selections.some((selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD)
        return visit(fragments.get(selection.name.value)!.selectionSet, path);
      if (selection.kind === Kind.INLINE_FRAGMENT) return visit(selection.selectionSet, path);
      const own = `${path}/${responseName(selection)}`;
      const name = own
        .split('/')
        .reverse()
        .flatMap((step) => step.split('_'))
        .filter((part) => !ownParts.test(part))
        .join('_');
      const other = paths.get(name) ?? own;
      paths.set(name, own);
      return other !== own || (selection.selectionSet !== undefined && visit(selection.selectionSet, own));
    });
  return visit(selectionSet, '');
}
