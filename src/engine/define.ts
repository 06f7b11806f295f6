/** From what a kind declares, the whole of a resource: fields that all have, plain actions, names, and what shoppers have. */
import type { ErrorElement } from '../errors/api-error.ts';
import { assigned, type Field, type Fields, type ValueOf } from '../fields/field.ts';
import { parsePredicate } from '../predicate/parser.ts';
import { memberOf, type ObjectShape, type Shape } from '../predicate/shape.ts';
import { type Plain, plainAction } from './actions.ts';
import type { Telling } from './messages.ts';
import { type Tellers, tellingAction } from './tellers.ts';
import {
  type Document,
  type DocumentOf,
  type Fixed,
  type TakenValue,
  type UniqueValue,
  versioned,
} from './document.ts';
import type { Members } from './indexed.ts';
import type { UniqueLookup } from './store.ts';
import { derivedNames, mineNames } from './graphql-names.ts';
import type { DescribesParts, Following } from './following.ts';
import type {
  Action,
  Along,
  AlongRemoval,
  ApplyContext,
  Check,
  Computation,
  CreatedIn,
  CreateWith,
  DescribedBy,
  Endpoint,
  ErasedWith,
  Examples,
  Expiry,
  Finding,
  FollowedBy,
  Form,
  Gathering,
  GraphqlNames,
  GraphqlQuery,
  KeptDays,
  Lifecycle,
  Mine,
  Parameters,
  PartExpansions,
  Preview,
  Projection,
  Published,
  Resource,
  Retention,
  Rule,
} from './resource.ts';

/**
 * How a declaration says it: names of members of the draft and of actions, where they are not all, and what GraphQL calls
 * otherwise than the `My` before the names of the resource gives.
 */
type MineDeclaration<D> = Omit<Mine, 'resource'> & {
  readonly draft?: readonly string[];
  /** Members of the draft that shoppers alone give. */
  readonly draftMembers?: Fields;
  /** Names, or the actions as shoppers have them. */
  readonly actions?: readonly string[] | Readonly<Record<string, Action>>;
  /** What shoppers see of one, where it is not all, and the name of its type there. */
  readonly shows?: { readonly typeName: string; readonly members: readonly string[] };
  readonly removalFault?: (document: Fixed<D>, context: Pick<ApplyContext, 'holds'>) => ErrorElement | undefined;
  /** Empty where shoppers know the resources by id alone. */
  readonly keyMembers?: readonly string[];
  /** Where shoppers have no say in what becomes of one. */
  readonly lifecycle?: Lifecycle;
  readonly graphql?: Partial<GraphqlNames>;
};

/** Predicates are texts there, about what is stored. */
type PublishedDeclaration<D> = Omit<Published<D>, 'where'> & { readonly where: string };

/** The predicate is a text, about what is stored. */
export type FollowingDeclaration = Omit<Following, 'where'> & { where?(ids: readonly string[]): string };

/** By its parameters' types. */
export interface FormDeclaration<D, P = Parameters, G = unknown> extends Pick<Form, 'parameters' | 'texts'> {
  check?(parameters: P): void;
  gather?(gathering: Gathering, documents: readonly D[], parameters: P): Promise<G>;
  shown(document: D, parameters: P, gathered: G): Document | undefined;
}

/** A projection by its names and fields, and its parameters by their types. */
export interface ProjectionDeclaration<D, P = Parameters, G = unknown> extends Pick<
  Projection,
  'path' | 'scopes' | 'parameters'
> {
  readonly storeParameter?: string;
  check?(parameters: P): void;
  readonly typeName: string;
  readonly fields: Fields;
  isOfAll(parameters: P): boolean;
  where(parameters: P): string | undefined;
  storedAt(member: string, parameters: P): readonly string[];
  gather?(gathering: Gathering, documents: readonly D[], parameters: P): Promise<G>;
  shown(document: D, parameters: P, gathered: G): Document | undefined;
}

export interface ResourceDeclaration<F extends Fields, D extends Fields> {
  readonly kind: string;
  readonly typeName: string;
  /** By default the type name. */
  readonly schemaName?: string;
  readonly path: string;
  readonly scopes: Resource['scopes'];
  /** Resources of this kind that one project may have; more is MaxResourceLimitExceeded. */
  readonly maxPerProject?: number;
  readonly retention?: Retention;
  readonly expiry?: Expiry<DocumentOf<F>>;
  readonly keptDays?: KeptDays;
  readonly isExtensible?: true;
  readonly fields: F;
  /** Fields that the platform keeps for every resource of the kind; by default those of a versioned one. */
  readonly base?: Fields;
  readonly lifecycle?: Lifecycle;
  readonly keyMembers?: readonly string[];
  readonly inStore?: Resource['inStore'];
  readonly mine?: MineDeclaration<DocumentOf<F>>;
  readonly published?: PublishedDeclaration<DocumentOf<F>>;
  readonly projections?: readonly ProjectionDeclaration<DocumentOf<F>>[];
  readonly form?: FormDeclaration<DocumentOf<F>>;
  readonly preview?: Preview<DocumentOf<F>>;
  readonly expansions?: PartExpansions;
  /** By default anyone. */
  readonly followedBy?: FollowedBy;
  readonly holdsPersonalData?: boolean;
  readonly erasedWith?: ErasedWith;
  readonly isKeptParsed?: true;
  readonly keptPart?: (document: Fixed<Document>) => Document;
  /** What a create takes, where it differs from the fields; `create` then makes the one from the other. */
  readonly draft?: D;
  readonly create?: (draft: ValueOf<D>, context: ApplyContext) => ValueOf<F> | Promise<ValueOf<F>>;
  readonly draftHolders?: (draft: ValueOf<D>) => readonly UniqueLookup[];
  /** The whole operation, where more than the document is made. */
  readonly createWith?: CreateWith;
  readonly createdIn?: CreatedIn;
  readonly actions: Readonly<Record<string, Action | Plain>>;
  /** Recomputes what follows from other fields, once after a create and after the last action of an update. */
  readonly derive?: (document: DocumentOf<F>) => void;
  readonly describedBy?: DescribedBy;
  readonly follows?: readonly FollowingDeclaration[];
  readonly describesParts?: DescribesParts;
  readonly groupedBy?: Resource['groupedBy'];
  readonly indexed?: Members;
  /** What follows from other resources as well, after that. */
  readonly computation?: Computation<DocumentOf<F>>;
  readonly rules?: readonly ((
    document: Fixed<DocumentOf<F>>,
    context: Pick<ApplyContext, 'project'>,
  ) => ErrorElement | readonly ErrorElement[] | undefined)[];
  readonly checks?: readonly Check[];
  readonly along?: Along;
  readonly alongRemoval?: AlongRemoval;
  readonly messages?: MessagesDeclaration<DocumentOf<F>>;
  /** Boolean fields that are true for at most one resource of the kind: setting one unsets the other. */
  readonly exclusiveFlags?: readonly (keyof F & string)[];
  readonly uniqueValues?: (document: Fixed<DocumentOf<F>>) => readonly UniqueValue[];
  readonly removalFault?: (
    document: Fixed<DocumentOf<F>>,
    context: Pick<ApplyContext, 'holds'>,
  ) => ErrorElement | undefined;
  readonly lostRace?: (document: Fixed<DocumentOf<F>>, taken: TakenValue) => ErrorElement | undefined;
  readonly endpoints?: readonly Endpoint[];
  readonly queries?: readonly GraphqlQuery[];
  readonly finding?: Finding;
  readonly graphql?: Partial<GraphqlNames>;
  readonly examples?: Partial<Examples>;
}

/** What a kind tells, and which of its actions tell what. */
export interface MessagesDeclaration<D> extends Telling<D> {
  readonly actions?: Tellers;
}

export function defineResource<const F extends Fields, const D extends Fields = F>(
  declaration: ResourceDeclaration<F, D>,
): Resource {
  const { kind, typeName, path, scopes, maxPerProject, draft, create, rules, uniqueValues } = declaration;
  const { keyMembers = ['key'] } = declaration;
  const fields: Fields = { ...(declaration.base ?? versioned), ...declaration.fields };
  const actions = Object.entries(declaration.actions).map(([name, given]) => {
    return [name, 'plain' in given ? plainAction(kind, declaration.fields, given) : given] as const;
  });
  const tellers = new Map(Object.entries(declaration.messages?.actions ?? {}));
  for (const flag of declaration.exclusiveFlags ?? []) {
    if (fields[flag]?.kind.shape.class !== 'boolean')
      throw new Error(`${kind}: the exclusive flag ${flag} is not a boolean field`);
  }
  for (const name of Object.keys(declaration.examples?.actions ?? {})) {
    if (!Object.hasOwn(declaration.actions, name))
      throw new Error(`${kind}: there is an example for the unknown action ${name}`);
  }
  for (const name of tellers.keys()) {
    if (!Object.hasOwn(declaration.actions, name))
      throw new Error(`${kind}: the unknown action ${name} tells something`);
  }
  const { describedBy } = declaration;
  if (describedBy !== undefined && fields[describedBy.member]?.presence !== 'required')
    throw new Error(`${kind}: what describes it is no required member ${describedBy.member}`);
  if (declaration.retention !== undefined && !Object.hasOwn(fields, declaration.retention.daysMember))
    throw new Error(`${kind}: no field ${declaration.retention.daysMember} says how long it stays`);
  if (declaration.isExtensible === true && (declaration.lifecycle ?? 'versioned') !== 'versioned')
    throw new Error(`${kind}: extensions are asked about versioned resources alone`);
  if (declaration.computation !== undefined) checkComputation(kind, fields, declaration.computation);
  const resource: Resource = {
    kind,
    typeName,
    schemaName: declaration.schemaName ?? typeName,
    path,
    scopes,
    writingScopes: [...scopes.manage, ...(declaration.mine?.scopes ?? [])],
    maxPerProject,
    retention: declaration.retention,
    expiry: declaration.expiry as unknown as Expiry | undefined,
    keptDays: declaration.keptDays,
    isExtensible: declaration.isExtensible ?? false,
    fields,
    shownFields: fields,
    draft: draft ?? declaration.fields,
    draftHolders: (declaration.draftHolders ?? (() => [])) as Resource['draftHolders'],
    lifecycle: declaration.lifecycle ?? 'versioned',
    keyMembers,
    storedKey: keyMembers,
    inStore: declaration.inStore,
    mine: undefined,
    published: undefined,
    projections: [],
    form: declaration.form as unknown as Form | undefined,
    preview: declaration.preview as unknown as Preview | undefined,
    expansions: declaration.expansions,
    projection: undefined,
    followedBy: declaration.followedBy ?? 'anyone',
    holdsPersonalData: declaration.holdsPersonalData ?? false,
    erasedWith: declaration.erasedWith,
    isKeptParsed: declaration.isKeptParsed ?? false,
    keptPart: declaration.keptPart,
    // Drafts are parsed by `draft`, and documents made by `create`, so the types hold where they were erased.
    create: (create ?? ((given: object) => ({ ...given }))) as Resource['create'],
    createWith: declaration.createWith,
    createdIn: declaration.createdIn,
    actions: tellingActions(new Map(actions), tellers),
    derive: (declaration.derive ?? (() => {})) as Resource['derive'],
    describedBy: declaration.describedBy,
    follows: [],
    describesParts: declaration.describesParts,
    groupedBy: declaration.groupedBy ?? [],
    indexed: declaration.indexed,
    computation: declaration.computation as unknown as Computation | undefined,
    rules: (rules ?? []) as readonly Rule[],
    checks: declaration.checks ?? [],
    along: declaration.along,
    alongRemoval: declaration.alongRemoval,
    telling: declaration.messages as unknown as Telling | undefined,
    exclusiveFlags: declaration.exclusiveFlags ?? [],
    uniqueValues: (uniqueValues ?? (() => [])) as Resource['uniqueValues'],
    removalFault: declaration.removalFault as Resource['removalFault'],
    lostRace: (declaration.lostRace ?? (() => undefined)) as Resource['lostRace'],
    endpoints: declaration.endpoints ?? [],
    queries: declaration.queries ?? [],
    finding: declaration.finding,
    graphql: { ...derivedNames(declaration), ...declaration.graphql },
    examples: {
      draft: {},
      full: {},
      actions: {},
      needed: [],
      named: {},
      beside: [],
      used: [],
      ...declaration.examples,
    },
    shape: shapeOf(fields),
  };
  const { mine, published, projections = [] } = declaration;
  return {
    ...resource,
    follows: (declaration.follows ?? []).map((given) => followingOf(resource, given)),
    mine: mine && mineOf(resource, mine as unknown as MineDeclaration<Document>, tellers),
    published:
      published && ({ ...published, where: parsePredicate(published.where, resource.shape) } as unknown as Published),
    projections: projections.map((projection) =>
      projectionOf(resource, projection as unknown as ProjectionDeclaration<Document>),
    ),
  };
}

function followingOf({ shape }: Resource, { where, ...given }: FollowingDeclaration): Following {
  return { ...given, ...(where !== undefined && { where: (ids) => parsePredicate(where(ids), shape) }) };
}

function projectionOf(
  resource: Resource,
  { typeName, fields, where, ...projection }: ProjectionDeclaration<Document>,
): Resource {
  return {
    ...resource,
    typeName,
    schemaName: typeName,
    path: projection.path,
    fields,
    shownFields: fields,
    shape: shapeOf(fields),
    endpoints: [],
    queries: [],
    finding: undefined,
    inStore: undefined,
    form: undefined,
    projection: {
      ...projection,
      storeParameter: projection.storeParameter,
      where: (parameters) => {
        const text = where(parameters);
        return text === undefined ? undefined : parsePredicate(text, resource.shape);
      },
    },
  };
}

/** Throws where it reads what is no text of the document. */
function checkComputation(kind: string, fields: Fields, computation: Pick<Computation, 'reads'>): void {
  for (const path of Object.values(computation.reads).flat()) {
    const segments = path.split('.');
    const leaf = segments.reduce<Shape | undefined>((shape, segment) => {
      const [, name, isList] = /^(\w+)(\[\*\])?$/.exec(segment) ?? [];
      const member = name === undefined || shape?.class === 'list' ? undefined : shape && memberOf(shape, name);
      if (member === undefined || (member.class === 'list') !== (isList !== undefined)) return undefined;
      return member.class === 'list' ? member.item : member;
    }, shapeOf(fields));
    if (leaf?.class !== 'text' && leaf?.class !== 'dynamic')
      throw new Error(`${kind}: the path ${path} of the computation leads to no text`);
  }
}

function shapeOf(fields: Fields): ObjectShape {
  return { class: 'object', fields: new Map(Object.entries(fields).map(([name, { kind }]) => [name, kind.shape])) };
}

function mineOf(
  resource: Resource,
  {
    draft,
    draftMembers,
    actions,
    keyMembers,
    lifecycle,
    shows,
    removalFault,
    graphql,
    ...mine
  }: MineDeclaration<Document>,
  tellers: ReadonlyMap<string, Tellers[string]>,
): Mine {
  const owners = Object.values(mine.owners);
  for (const name of owners) {
    if (resource.fields[name] === undefined) throw new Error(`${resource.kind} has no member ${name} for its owner`);
  }
  // What a shopper cannot give is what a draft without it has; the owner is given by the platform.
  const fieldOf = ([name, field]: readonly [string, Field<unknown>]): readonly (readonly [
    string,
    Field<unknown>,
  ])[] => {
    if (owners.includes(name)) return [[name, { ...field, kind: { ...field.kind, input: undefined } }]];
    if (draft === undefined || draft.includes(name)) return [[name, field]];
    return field.initial === undefined ? [] : [[name, assigned(field.kind, field.initial)]];
  };
  return {
    ...mine,
    resource: {
      ...resource,
      // Shoppers who delete what is theirs have no choice.
      holdsPersonalData: false,
      keyMembers: keyMembers ?? resource.keyMembers,
      lifecycle: lifecycle ?? resource.lifecycle,
      draft: Object.fromEntries(Object.entries({ ...resource.draft, ...draftMembers }).flatMap(fieldOf)),
      actions: ownActions(resource, actions, tellers),
      graphql: mineNames(resource, { path: mine.path, given: graphql ?? {} }),
      ...(removalFault !== undefined && { removalFault }),
      ...(shows !== undefined && shownInPart(resource, shows)),
    },
  };
}

/** Which tell what the table says of them. */
function tellingActions(
  actions: Resource['actions'],
  tellers: ReadonlyMap<string, Tellers[string]>,
): Resource['actions'] {
  return new Map(
    [...actions].map(([name, action]) => {
      const teller = tellers.get(name);
      return [name, teller === undefined ? action : tellingAction(action, teller)];
    }),
  );
}

function ownActions(
  resource: Resource,
  given: MineDeclaration<Document>['actions'],
  tellers: ReadonlyMap<string, Tellers[string]>,
): Resource['actions'] {
  if (given === undefined) return resource.actions;
  const isList = (actions: typeof given): actions is readonly string[] => Array.isArray(actions);
  const names = isList(given) ? given : Object.keys(given);
  for (const name of names) {
    if (!resource.actions.has(name))
      throw new Error(`${resource.kind}: shoppers cannot have the unknown action ${name}`);
  }
  if (!isList(given)) return tellingActions(new Map(Object.entries(given)), tellers);
  return new Map([...resource.actions].filter(([name]) => names.includes(name)));
}

/** What the platform keeps of every resource may be asked for, though it may not show. */
function shownInPart(
  { kind, fields }: Resource,
  { typeName, members }: NonNullable<MineDeclaration<Document>['shows']>,
): Pick<Resource, 'typeName' | 'shownFields' | 'shape' | 'form'> {
  for (const name of members) if (fields[name] === undefined) throw new Error(`${kind} has no member ${name} to show`);
  const shown = (names: readonly string[]): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
  return {
    typeName,
    shownFields: shown(members),
    shape: shapeOf(shown([...Object.keys(versioned), ...members])),
    form: {
      parameters: {},
      shown: (document) =>
        Object.fromEntries(Object.entries(document).filter(([name]) => members.includes(name))) as Document,
    },
  };
}
