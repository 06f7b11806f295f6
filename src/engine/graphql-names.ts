import type { GraphqlNames, Resource } from './resource.ts';

/** The names that follow from the others of a kind. */
export function derivedNames({
  typeName,
  path,
  holdsPersonalData = false,
}: Pick<Resource, 'typeName' | 'path'> & Partial<Pick<Resource, 'holdsPersonalData'>>): GraphqlNames {
  return {
    one: typeName[0]!.toLowerCase() + typeName.slice(1),
    many: path.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    hasMutations: true,
    mutation: typeName,
    create: undefined,
    draft: `${typeName}Draft`,
    created: undefined,
    updateAction: `${typeName}UpdateAction`,
    actionNoun: typeName,
    actions: {},
    members: {},
    erasesPersonalData: holdsPersonalData,
    interfaces: ['Versioned', 'ReferenceExpandable'],
    queryInterfaces: {},
  };
}

/** Shoppers' actions have the inputs of the resource's own, unless they are named otherwise. */
export function mineNames(
  { typeName, graphql: own }: Resource,
  { path, given }: { readonly path: string; readonly given: Partial<GraphqlNames> },
): GraphqlNames {
  return {
    ...own,
    mutation: `My${own.mutation}`,
    create: undefined,
    draft: `My${typeName}Draft`,
    updateAction: `My${own.updateAction}`,
    // Whoever deletes the one resource that is the shopper deletes all that is personal of it.
    erasesPersonalData: own.erasesPersonalData && path === '',
    ...given,
    actions: { ...own.actions, ...given.actions },
    members: { ...own.members, ...given.members },
  };
}
