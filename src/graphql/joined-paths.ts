import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { fragmentsOf, responseName } from './selections.ts';

/** An element of a list, in the name of a path. */
const element = /^idx\d+$/;

/**
 * Whether two paths of an answer may have one name where `_` joins their steps, the last one first: so graphql-jit names what
 * it tells resolvers of their fields, and would tell one of the other. An alias may have any number of such characters. What
 * stands between the steps, elements of lists and types of objects, is left out. The text is small, for fragments are looked
 * through at each place where they are spread.
 */
export function joinsPaths(
  schema: GraphQLSchema,
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): boolean {
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
        .filter((part) => !element.test(part) && schema.getType(part) === undefined)
        .join('_');
      const other = paths.get(name) ?? own;
      paths.set(name, own);
      return other !== own || (selection.selectionSet !== undefined && visit(selection.selectionSet, own));
    });
  return visit(selectionSet, '');
}
