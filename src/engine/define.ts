/**
 * What a resource declares. The engine derives routes, validation, identifier resolution, predicates, GraphQL and
 * scope checks from it; nothing in this layer names a resource kind, speaks a protocol or knows SQL.
 */
import { apiError, type ErrorElement } from '../errors/api-error.ts';
import {
  type Field,
  type Fields,
  assigned,
  assignedOptional,
  type Input,
  type InputField,
  optional,
  required,
  type ValueOf,
} from '../fields/field.ts';
import { type Initiator, initiator } from '../fields/initiator.ts';
import { dateTime, integer, text } from '../fields/scalar.ts';
import type { StrongReference } from '../fields/parsing.ts';
import type { Shape } from '../predicate/shape.ts';
import type { Endpoint } from './endpoint.ts';
import type { Engine } from './engine.ts';
import type { RequestContext } from './context.ts';
import type { Json } from './json.ts';
import type { CreateRequest } from './operations/draft.ts';

/** Fields of every versioned resource. */
const versioned = {
  id: assigned(text()),
  version: assigned(integer()),
  createdAt: assigned(dateTime()),
  lastModifiedAt: assigned(dateTime()),
  createdBy: assignedOptional(initiator()),
  lastModifiedBy: assignedOptional(initiator()),
};

export type Versioned = ValueOf<typeof versioned> & { key?: string };

/** A resource as it is stored and read, by its declared fields. */
export type DocumentOf<F> = Versioned & ValueOf<F>;

/** A resource of any kind. */
export type Document = Versioned & Record<string, unknown>;

/** What an update action or a create function may ask for besides its input. */
export interface ApplyContext {
  readonly project: RequestContext['project'];
  /** The moment of the request. */
  readonly now: string;
  readonly initiator: Initiator;
  /** A new id, for parts of a resource that have one. */
  newId(): string;
  /** Has an update keep these secrets beside the document, in place of those that are there. */
  keepSecrets(secrets: Readonly<Record<string, string>>): void;
}

/** What GraphQL takes for an action, where that does not follow from the action's fields. */
export interface ActionInput {
  readonly fields: readonly InputField[];
  readonly types: Input['types'];
  /** What REST has for the input. */
  read(input: Readonly<Record<string, unknown>>): unknown;
}

/** What an action is prepared from. */
export interface PrepareRequest {
  readonly engine: Engine;
  readonly context: RequestContext;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One update action: the fields it takes, and what it does to the working copy. It throws to refuse. */
export interface Action {
  readonly fields: Fields;
  readonly input?: ActionInput;
  /** What takes time, such as hashing: gives the input that is applied. One update has one such action at most. */
  prepare?(request: PrepareRequest): Promise<Readonly<Record<string, unknown>>>;
  apply(document: Document, input: Readonly<Record<string, unknown>>, context: ApplyContext): void;
}

/** An update action whose effect is coded. */
export function action<D extends object, const F extends Fields>(
  fields: F,
  apply: (document: D, input: ValueOf<F>, context: ApplyContext) => void,
): Action {
  // The engine calls an action with documents of its own kind and input parsed by these fields.
  return { fields, apply: apply as unknown as Action['apply'] };
}

interface Plain {
  readonly plain: 'set' | 'change';
  readonly field: string;
  readonly input: string;
}

/** An action that sets an optional field, or removes it when the input is absent. */
export function set(field: string, input = field): Plain {
  return { plain: 'set', field, input };
}

/** An action that replaces a field and needs its input. */
export function change(field: string, input = field): Plain {
  return { plain: 'change', field, input };
}

/** A value that only one resource of the kind may hold at a time. */
export interface UniqueValue {
  readonly field: string;
  readonly value: string;
  /** The value as an error names it, where that is another. */
  readonly shown?: string;
}

/**
 * How resources of a kind come and go. `versioned`: created, updated by actions, deleted at a version. `upserted`:
 * created or replaced by one operation, deleted at a version or whatever it is. `fixed`: created, deleted, and nothing
 * between.
 */
export type Lifecycle = 'versioned' | 'upserted' | 'fixed';

/** How a resource shows in GraphQL, where that does not follow from its type name, path and fields. */
export interface GraphqlNames {
  /** The query by id or key, and the one for pages. */
  readonly one: string;
  readonly many: string;
  /** False for a resource that can only be read there. */
  readonly hasMutations: boolean;
  /** The noun of the mutations, as in `createZone`. */
  readonly mutation: string;
  /** The mutation that creates, where it is called otherwise. */
  readonly create: string | undefined;
  /** The input type of a create. */
  readonly draft: string;
  /** The type that a create gives, where it has members beside those of the resource. */
  readonly created: { readonly typeName: string; readonly fields: Readonly<Record<string, string>> } | undefined;
  /** The input type that has a member for each update action. */
  readonly updateAction: string;
  /** The noun in the names of the actions' input types, as in `AddZoneLocation`. */
  readonly actionNoun: string;
  /** Input types of actions that are named otherwise; `null` for an action that GraphQL does not have. */
  readonly actions: Readonly<Record<string, string | null>>;
  /** SDL of members by `Type.member`, where it differs from what the fields derive; `null` takes a member away. */
  readonly members: Readonly<Record<string, string | null>>;
  /** A deletion takes `personalDataErasure`: by default where REST takes `dataErasure`. */
  readonly erasesPersonalData: boolean;
  /** Interfaces that its type implements. */
  readonly interfaces: readonly string[];
}

/** What may be looked at and not changed, however deep. */
export type Fixed<T> = T extends object ? { readonly [Name in keyof T]: Fixed<T[Name]> } : T;

/** Checked once after the last action, and after a create. What is stored is the document's text, which is made before. */
export type Rule = (document: Fixed<Document>, context: Pick<ApplyContext, 'project'>) => ErrorElement | undefined;

/** A document before and after the actions of an update. */
export interface DocumentChange {
  readonly project: string;
  readonly before: Fixed<Document>;
  readonly after: Fixed<Document>;
}

/** A rule on an update that has to read other resources. */
export type Check = (engine: Engine, change: DocumentChange) => Promise<ErrorElement | undefined>;

/** Whose token a request has to come with: a customer's, or one of an anonymous session. */
export type Shopper = 'customer' | 'anonymous';

/** What those see of a kind who may not see all of it, such as what is published of products. */
export interface Published<D = Document> {
  /** Scopes that show this much, in lists and in GraphQL. */
  readonly scopes: readonly string[];
  /** A predicate: which resources there are for them. */
  readonly where: string;
  /** Members, wherever they stand, that their predicates and sorts do not know. */
  readonly hides: readonly string[];
  /** What they see of one; undefined for one that is not there for them. Changes the document, which is its own. */
  shown(document: D): D | undefined;
}

/**
 * Who follows a link to a resource of the kind, wherever it stands: anyone who sees the link, those alone who may view the
 * resource itself, as where it holds what is personal, or nobody.
 */
export type FollowedBy = 'anyone' | 'viewers' | 'nobody';

/** The paths of a kind below `/me`, where shoppers find what is theirs. */
export interface Mine {
  /** Below `/me`; empty for the one resource that is the shopper. */
  readonly path: string;
  /** Scopes of which one is needed; in a store each counts for that store as well. */
  readonly scopes: readonly string[];
  /** The members that name the owner. A kind that anonymous sessions do not have lacks theirs. */
  readonly owners: { readonly customer: string; readonly anonymous?: string };
  /** The resource as shoppers have it: with the draft and the actions that they may use. */
  readonly resource: Resource;
}

/**
 * How a declaration says it: names of members of the draft and of actions, where they are not all, and what GraphQL calls
 * otherwise than the `My` before the names of the resource gives.
 */
type MineDeclaration = Omit<Mine, 'resource'> & {
  readonly draft?: readonly string[];
  readonly actions?: readonly string[];
  /** Empty where shoppers know the resources by id alone. */
  readonly keyMembers?: readonly string[];
  readonly graphql?: Partial<GraphqlNames>;
};

/** A create that is coded, such as one that makes a secret. Gives the representation. */
export type CreateWith = (engine: Engine, request: CreateRequest) => Promise<Json>;

/**
 * What the contract tests send, where the examples of the field kinds do not make a whole that is valid: members of the
 * draft, and of the input of single actions, in place of those examples. Actions are applied to the resource that the
 * example draft makes, of which a text such as `{assets[0].id}` names a value.
 */
export interface Examples {
  readonly draft: Readonly<Record<string, unknown>>;
  readonly actions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Members that the least draft has besides the required ones: not each draft needs them. */
  readonly needed: readonly string[];
}

/** An object that holds the resource. */
export interface CreatedIn {
  readonly typeName: string;
  readonly member: string;
  /** Other resources that it may hold: the names of their types, which GraphQL and the API's description share. */
  readonly others: Readonly<Record<string, string>>;
}

export interface Resource {
  readonly kind: string;
  readonly typeName: string;
  /** Name of its type in the API's description, from which the names of drafts, updates and pages are made. */
  readonly schemaName: string;
  readonly path: string;
  readonly scopes: { readonly view: readonly string[]; readonly manage: readonly string[] };
  /** All with which one of it is written, those of shoppers as well. */
  readonly writingScopes: readonly string[];
  readonly maxPerProject: number | undefined;
  readonly fields: Fields;
  readonly draft: Fields;
  readonly lifecycle: Lifecycle;
  /** The members that make up its key, in the order of the path; empty for a kind that is known by id alone. */
  readonly keyMembers: readonly string[];
  /** The members that make up the key in the store. Of shoppers' resources too, which may have no key in their paths. */
  readonly storedKey: readonly string[];
  /** Its paths below `in-store/key={storeKey}`: the member that holds its store or stores, and whether they only read. */
  readonly inStore: { readonly member: string; readonly isReadOnly: boolean } | undefined;
  readonly mine: Mine | undefined;
  readonly published: Published | undefined;
  readonly followedBy: FollowedBy;
  /** A deletion takes the parameter `dataErasure`. */
  readonly holdsPersonalData: boolean;
  create(draft: Readonly<Record<string, unknown>>, context: ApplyContext): Record<string, unknown>;
  readonly createWith: CreateWith | undefined;
  /** The object that a create answers with, where the resource is a member of it. */
  readonly createdIn: CreatedIn | undefined;
  readonly actions: ReadonlyMap<string, Action>;
  derive(document: Document): void;
  readonly rules: readonly Rule[];
  readonly checks: readonly Check[];
  readonly exclusiveFlags: readonly string[];
  uniqueValues(document: Fixed<Document>): readonly UniqueValue[];
  readonly endpoints: readonly Endpoint[];
  readonly graphql: GraphqlNames;
  readonly examples: Examples;
  readonly shape: Extract<Shape, { class: 'object' }>;
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
  readonly fields: F;
  /** Fields that the platform keeps for every resource of the kind; by default those of a versioned one. */
  readonly base?: Fields;
  readonly lifecycle?: Lifecycle;
  readonly keyMembers?: readonly string[];
  readonly inStore?: Resource['inStore'];
  readonly mine?: MineDeclaration;
  readonly published?: Published<DocumentOf<F>>;
  /** By default anyone. */
  readonly followedBy?: FollowedBy;
  readonly holdsPersonalData?: boolean;
  /** What a create takes, where it differs from the fields; `create` then makes the one from the other. */
  readonly draft?: D;
  readonly create?: (draft: ValueOf<D>, context: ApplyContext) => ValueOf<F>;
  /** The whole operation, where more than the document is made. */
  readonly createWith?: CreateWith;
  readonly createdIn?: CreatedIn;
  readonly actions: Readonly<Record<string, Action | Plain>>;
  /** Recomputes what follows from other fields, once after a create and after the last action of an update. */
  readonly derive?: (document: DocumentOf<F>) => void;
  readonly rules?: readonly ((
    document: Fixed<DocumentOf<F>>,
    context: Pick<ApplyContext, 'project'>,
  ) => ErrorElement | undefined)[];
  readonly checks?: readonly Check[];
  /** Boolean fields that are true for at most one resource of the kind: setting one unsets the other. */
  readonly exclusiveFlags?: readonly (keyof F & string)[];
  readonly uniqueValues?: (document: Fixed<DocumentOf<F>>) => readonly UniqueValue[];
  readonly endpoints?: readonly Endpoint[];
  readonly graphql?: Partial<GraphqlNames>;
  readonly examples?: Partial<Examples>;
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
  for (const flag of declaration.exclusiveFlags ?? []) {
    if (fields[flag]?.kind.shape.class !== 'boolean')
      throw new Error(`${kind}: the exclusive flag ${flag} is not a boolean field`);
  }
  for (const name of Object.keys(declaration.examples?.actions ?? {})) {
    if (!Object.hasOwn(declaration.actions, name))
      throw new Error(`${kind}: there is an example for the unknown action ${name}`);
  }
  const resource: Resource = {
    kind,
    typeName,
    schemaName: declaration.schemaName ?? typeName,
    path,
    scopes,
    writingScopes: [...scopes.manage, ...(declaration.mine?.scopes ?? [])],
    maxPerProject,
    fields,
    draft: draft ?? declaration.fields,
    lifecycle: declaration.lifecycle ?? 'versioned',
    keyMembers,
    storedKey: keyMembers,
    inStore: declaration.inStore,
    mine: undefined,
    published: declaration.published as unknown as Published | undefined,
    followedBy: declaration.followedBy ?? 'anyone',
    holdsPersonalData: declaration.holdsPersonalData ?? false,
    // Drafts are parsed by `draft`, and documents made by `create`, so the types hold where they were erased.
    create: (create ?? ((given: object) => ({ ...given }))) as Resource['create'],
    createWith: declaration.createWith,
    createdIn: declaration.createdIn,
    actions: new Map(actions),
    derive: (declaration.derive ?? (() => {})) as Resource['derive'],
    rules: (rules ?? []) as readonly Rule[],
    checks: declaration.checks ?? [],
    exclusiveFlags: declaration.exclusiveFlags ?? [],
    uniqueValues: (uniqueValues ?? (() => [])) as Resource['uniqueValues'],
    endpoints: declaration.endpoints ?? [],
    graphql: { ...derivedNames(declaration), ...declaration.graphql },
    examples: { draft: {}, actions: {}, needed: [], ...declaration.examples },
    shape: {
      class: 'object',
      fields: new Map(Object.entries(fields).map(([name, field]) => [name, field.kind.shape])),
    },
  };
  return declaration.mine === undefined ? resource : { ...resource, mine: mineOf(resource, declaration.mine) };
}

function mineOf(resource: Resource, { draft, actions, keyMembers, graphql, ...mine }: MineDeclaration): Mine {
  const owners = Object.values(mine.owners);
  for (const name of owners) {
    if (resource.fields[name] === undefined) throw new Error(`${resource.kind} has no member ${name} for its owner`);
  }
  for (const name of actions ?? []) {
    if (!resource.actions.has(name))
      throw new Error(`${resource.kind}: shoppers cannot have the unknown action ${name}`);
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
      draft: Object.fromEntries(Object.entries(resource.draft).flatMap(fieldOf)),
      actions: new Map([...resource.actions].filter(([name]) => actions?.includes(name) !== false)),
      graphql: mineNames(resource, { path: mine.path, given: graphql ?? {} }),
    },
  };
}

/** Shoppers' actions have the inputs of the resource's own, unless they are named otherwise. */
function mineNames(
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

function derivedNames({
  typeName,
  path,
  holdsPersonalData = false,
}: Pick<ResourceDeclaration<Fields, Fields>, 'typeName' | 'path' | 'holdsPersonalData'>): GraphqlNames {
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
  };
}

function plainAction(kind: string, fields: Fields, { plain, field, input }: Plain): Action {
  const declared: Field<unknown> | undefined = fields[field];
  if (declared === undefined) throw new Error(`${kind}: an action names the unknown field ${field}`);
  if (plain === 'set' && declared.presence === 'required') {
    throw new Error(`${kind}: the required field ${field} can be changed but not set, for set may remove it`);
  }
  return {
    fields: { [input]: plain === 'set' ? optional(declared.kind) : required(declared.kind) },
    apply: (document, given) => {
      const value = given[input] ?? declared.initial?.();
      if (value === undefined) delete document[field];
      else document[field] = value;
    },
  };
}

/** The refusal of an action whose preconditions do not hold. */
export function invalidOperation(message: string): Error {
  return apiError('InvalidOperation', message);
}

/** What a link names its target by. */
export function nameOf(link: StrongReference): string {
  return 'id' in link ? link.id : link.key;
}

/** Two links lead to the same resource. */
export function isSameReference(one: StrongReference, other: StrongReference): boolean {
  return one.typeId === other.typeId && nameOf(one) === nameOf(other);
}
