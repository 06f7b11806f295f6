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
  optional,
  required,
  type ValueOf,
} from '../fields/field.ts';
import { initiator } from '../fields/initiator.ts';
import { dateTime, integer, text } from '../fields/scalar.ts';
import type { Reference } from '../fields/parsing.ts';
import type { Shape } from '../predicate/shape.ts';
import type { Engine } from './engine.ts';
import type { RequestContext } from './context.ts';

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
  /** A new id, for parts of a resource that have one. */
  newId(): string;
}

/** One update action: the fields it takes, and what it does to the working copy. It throws to refuse. */
export interface Action {
  readonly fields: Fields;
  apply(document: Document, input: Readonly<Record<string, unknown>>, context: ApplyContext): void;
}

/** An update action whose effect is coded. */
export function action<D extends Versioned, const F extends Fields>(
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
}

/** Checked once after the last action, and after a create. */
export type Rule = (document: Document) => ErrorElement | undefined;

/** A read that is not one of the five operations. */
export interface Endpoint {
  /** Path below the resource's own. */
  readonly path: string;
  readonly isInStore: boolean;
  /** Scopes of which one is needed; those that end in `:{storeKey}` count for the store of the path alone. */
  readonly scopes: readonly string[];
  /** Query parameters. */
  readonly parameters: Fields;
  /** Answers with JSON text. */
  run(engine: Engine, request: EndpointRequest): Promise<string>;
}

export interface EndpointRequest {
  readonly context: RequestContext;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly expand: readonly string[];
  readonly storeKey?: string;
}

export function endpoint<const F extends Fields>(declaration: {
  readonly path: string;
  readonly isInStore?: boolean;
  readonly scopes: readonly string[];
  readonly parameters: F;
  readonly run: (
    engine: Engine,
    request: Omit<EndpointRequest, 'parameters'> & { readonly parameters: ValueOf<F> },
  ) => Promise<string>;
}): Endpoint {
  // The adapter parses the parameters by these fields before it calls run.
  return { ...declaration, isInStore: declaration.isInStore ?? false, run: declaration.run as Endpoint['run'] };
}

export interface Resource {
  readonly kind: string;
  readonly typeName: string;
  readonly path: string;
  readonly scopes: { readonly view: readonly string[]; readonly manage: readonly string[] };
  readonly maxPerProject: number | undefined;
  readonly fields: Fields;
  readonly draft: Fields;
  create(draft: Readonly<Record<string, unknown>>, context: ApplyContext): Record<string, unknown>;
  readonly actions: ReadonlyMap<string, Action>;
  derive(document: Document): void;
  readonly rules: readonly Rule[];
  readonly exclusiveFlags: readonly string[];
  uniqueValues(document: Document): readonly UniqueValue[];
  readonly endpoints: readonly Endpoint[];
  readonly queryNames: { readonly one: string; readonly many: string };
  readonly shape: Extract<Shape, { class: 'object' }>;
}

export interface ResourceDeclaration<F extends Fields, D extends Fields> {
  readonly kind: string;
  readonly typeName: string;
  readonly path: string;
  readonly scopes: Resource['scopes'];
  /** Resources of this kind that one project may have; more is MaxResourceLimitExceeded. */
  readonly maxPerProject?: number;
  readonly fields: F;
  /** What a create takes, where it differs from the fields; `create` then makes the one from the other. */
  readonly draft?: D;
  readonly create?: (draft: ValueOf<D>, context: ApplyContext) => ValueOf<F>;
  readonly actions: Readonly<Record<string, Action | Plain>>;
  /** Recomputes what follows from other fields, once after a create and after the last action of an update. */
  readonly derive?: (document: DocumentOf<F>) => void;
  readonly rules?: readonly ((document: DocumentOf<F>) => ErrorElement | undefined)[];
  /** Boolean fields that are true for at most one resource of the kind: setting one unsets the other. */
  readonly exclusiveFlags?: readonly (keyof F & string)[];
  readonly uniqueValues?: (document: DocumentOf<F>) => readonly UniqueValue[];
  readonly endpoints?: readonly Endpoint[];
  /** Names of the GraphQL queries where they do not follow from typeName and path. */
  readonly queryNames?: Resource['queryNames'];
}

export function defineResource<const F extends Fields, const D extends Fields = F>(
  declaration: ResourceDeclaration<F, D>,
): Resource {
  const { kind, typeName, path, scopes, maxPerProject, draft, create, rules, uniqueValues } = declaration;
  const fields: Fields = { ...versioned, ...declaration.fields };
  const actions = Object.entries(declaration.actions).map(([name, given]) => {
    return [name, 'plain' in given ? plainAction(kind, declaration.fields, given) : given] as const;
  });
  for (const flag of declaration.exclusiveFlags ?? []) {
    if (fields[flag]?.kind.shape.class !== 'boolean')
      throw new Error(`${kind}: the exclusive flag ${flag} is not a boolean field`);
  }
  return {
    kind,
    typeName,
    path,
    scopes,
    maxPerProject,
    fields,
    draft: draft ?? declaration.fields,
    // Drafts are parsed by `draft`, and documents made by `create`, so the types hold where they were erased.
    create: (create ?? ((given: object) => ({ ...given }))) as Resource['create'],
    actions: new Map(actions),
    derive: (declaration.derive ?? (() => {})) as Resource['derive'],
    rules: (rules ?? []) as readonly Rule[],
    exclusiveFlags: declaration.exclusiveFlags ?? [],
    uniqueValues: (uniqueValues ?? (() => [])) as Resource['uniqueValues'],
    endpoints: declaration.endpoints ?? [],
    queryNames: declaration.queryNames ?? derivedQueryNames(typeName, path),
    shape: {
      class: 'object',
      fields: new Map(Object.entries(fields).map(([name, field]) => [name, field.kind.shape])),
    },
  };
}

function derivedQueryNames(typeName: string, path: string): Resource['queryNames'] {
  return {
    one: typeName[0]!.toLowerCase() + typeName.slice(1),
    many: path.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
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

/** Two references lead to the same resource. */
export function isSameReference(one: Reference, other: Reference): boolean {
  return one.id === other.id && one.typeId === other.typeId;
}
