/**
 * Field kinds: everything that differs by data type, as plain data and pure functions. A kind names GraphQL types and
 * comparison classes; graphql/ and storage/ turn those into type objects and SQL. No I/O here.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Shape } from '../predicate/shape.ts';
import type { Parsing, Reference, StrongReference } from './parsing.ts';

/** What a resolver passes to an output field. */
export interface OutputArguments {
  readonly [name: string]: unknown;
}

/** What a field of GraphQL finds out of other resources. What the fields of one level ask for is read together. */
export interface Lookups {
  /**
   * Counts so many elements that are to be gone through, and waits for a turn where those of the request take milliseconds.
   * False where the answer has no room for more.
   */
  goesThrough(elements: number): Promise<boolean>;
  /** The moment of the request. */
  readonly now: string;
  /** The answer may be another at this moment, in milliseconds. */
  noteUntil(ms: number): void;
  /** The resource with this id; null where there is none. */
  one(kind: string, id: string): Promise<Readonly<Record<string, unknown>> | null>;
  /** Resources of a kind that have this value at a member by which the kind is grouped. */
  grouped(kind: string, member: string, value: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Resources of a kind that a predicate finds, by its sort; as many as a page has at most. */
  matching(kind: string, where: string, sort: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  count(kind: string, where: string): Promise<number>;
  /** Throws insufficient_scope where the request sees no more than a part of the kind, such as what is published. */
  requireAll(kind: string): void;
}

/** One field of a GraphQL object type, derived from a declared field. */
export interface OutputField {
  readonly name: string;
  /** SDL, such as `[ZoneRate!]!`. */
  readonly type: string;
  /** Argument name → SDL. */
  readonly args?: Readonly<Record<string, string>>;
  /** Score of the field itself, without what is selected below it. */
  readonly complexity: number;
  /** Reads the value from the parent's JSON. */
  readonly read: (parent: Readonly<Record<string, unknown>>, args: OutputArguments) => unknown;
  /** Elements that are gone through, however few of them are given. */
  readonly goesThrough?: (parent: Readonly<Record<string, unknown>>, args: OutputArguments) => number;
  /** What is given in an answer that has no more room, where that is neither a list nor nothing. */
  readonly empty?: object;
  /** In place of `read`, for what stands in other resources. */
  readonly looksUp?: (parent: Readonly<Record<string, unknown>>, args: OutputArguments, lookups: Lookups) => unknown;
  /** Whether arguments ask for what stands in other resources. For others `read` says all; by default `looksUp` does. */
  readonly isOfOthers?: (args: OutputArguments) => boolean;
  /** The value read is a reference, or a list of them, whose targets are to be loaded. */
  readonly expands?: boolean;
  /** The value read is a list of references, and the field says whether all of their targets are there. */
  readonly asksForTargets?: boolean;
}

export interface OutputObject {
  readonly name: string;
  readonly fields: readonly OutputField[];
}

/** How a kind shows in GraphQL: the fields that a member of this kind gives its object, and the types they need. */
export interface Output {
  fields(name: string, isRequired: boolean): readonly OutputField[];
  /** SDL of one value when it stands in a list, without `!`. */
  readonly item: string;
  /** Converts one stored value for `item`; absent when it passes through. */
  readonly readItem?: (value: unknown) => unknown;
  /** GraphQL type of the unexpanded value, where the value is a reference and `item` its target. */
  readonly reference?: string;
  types(): readonly OutputType[];
}

export type OutputType =
  | { readonly type: 'object'; readonly object: OutputObject; readonly interfaces?: readonly string[] }
  | {
      readonly type: 'interface';
      readonly name: string;
      readonly fields: readonly OutputField[];
      /** Which member a value is. */
      readonly formOf: (value: Readonly<Record<string, unknown>>) => string;
      readonly members: Readonly<Record<string, OutputObject>>;
    }
  /** An interface of resources, as the target of a reference to one of several kinds; `members` are their types by kind. */
  | { readonly type: 'targets'; readonly name: string; readonly members: Readonly<Record<string, string>> }
  | { readonly type: 'enum'; readonly name: string; readonly values: readonly string[] };

/** One member of a GraphQL input object; `type` is SDL and may end in a default, such as `Boolean = true`. */
export interface InputField {
  readonly name: string;
  readonly type: string;
}

export interface InputObject {
  readonly name: string;
  readonly fields: readonly InputField[];
}

/** How a kind is given in GraphQL. */
export interface Input {
  /** SDL of one value, without `!`. */
  readonly type: string;
  /** What members of the kind are called there, where REST has another name. */
  readonly name?: string;
  /** The value as REST has it; absent where both are alike. */
  readonly read?: (value: unknown) => unknown;
  types(): readonly (InputObject | Extract<OutputType, { type: 'enum' }>)[];
}

/** JSON Schema of draft 2020-12, as plain data. One with a `title` is a type with that name in the API's description. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** How a kind shows in the API's description: as drafts and actions take it, and as it is read. */
export interface Schema {
  readonly draft: JsonSchema;
  readonly value: JsonSchema;
}

/** A value whose form another resource describes, such as custom fields by their type. */
export interface Described {
  readonly by: Reference;
  /** The value as it is stored; two that are equal need no second check. */
  readonly value: unknown;
  /**
   * Checks the value against the document of the resource that describes it, and completes it in place. `before` is
   * the value that stood in its place, described by the same resource.
   */
  check(description: Readonly<Record<string, unknown>>, before: unknown, parsing: Parsing): void;
  /** Takes out of the value, in place, what that resource does not define any more. */
  leave(description: Readonly<Record<string, unknown>>): void;
}

/** Where a value stands in a resource. */
export interface DescribedPlace {
  /** Leads to the value. */
  readonly path: string;
  /** What tells the value from others while elements of lists come, go and move. Copies within one resource, such as a product's staged and current ones, share it. */
  readonly name: string;
}

export type VisitDescribed = (described: Described, place: DescribedPlace) => void;

export interface FieldKind<Value> {
  /** Parses one value of a draft or action. Returns undefined after it recorded a fault. */
  parse(input: unknown, parsing: Parsing): Value | undefined;
  /** How the value compares in predicates and sorts. */
  readonly shape: Shape;
  readonly output: Output;
  /** Undefined where no client can give the value. */
  readonly input: Input | undefined;
  readonly schema: Schema;
  /**
   * Records what is wrong with a value that no client sent: one that actions, or what follows from them, have made. Absent
   * where every value of the type is right.
   */
  check?(value: Value, parsing: Parsing): void;
  /** Visits the references of a stored value that forbid the deletion of their target. */
  references?(value: Value, visit: (reference: StrongReference) => void): void;
  /** Visits the parts of a stored value that other resources describe; the value itself stands at `place`. */
  described?(value: Value, place: DescribedPlace, visit: VisitDescribed): void;
  /** Valid draft values, for the contract tests. */
  readonly examples: readonly unknown[];
}

/** How a member of an object is given: by the client, with or without need, or by the platform alone. */
type Presence = 'required' | 'optional' | 'defaulted' | 'assigned' | 'assignedOptional';

export interface Field<Value, P extends Presence = Presence> {
  readonly kind: FieldKind<Value>;
  readonly presence: P;
  initial?(): Value;
}

/** Fields of an object by name. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

export function required<Value>(kind: FieldKind<Value>): Field<Value, 'required'> {
  return { kind, presence: 'required' };
}

export function optional<Value>(kind: FieldKind<Value>): Field<Value, 'optional'> {
  return { kind, presence: 'optional' };
}

/** A field that holds `initial()` when a draft leaves it out, and is therefore always present when read. */
export function defaulted<Value>(kind: FieldKind<Value>, initial: () => NoInfer<Value>): Field<Value, 'defaulted'> {
  return { kind, presence: 'defaulted', initial: () => initial() };
}

/**
 * A field that the platform fills in and drafts cannot set; what a draft says of it is ignored. `initial` gives its
 * value while a draft is parsed, where the value depends on nothing else.
 */
export function assigned<Value>(kind: FieldKind<Value>, initial?: () => NoInfer<Value>): Field<Value, 'assigned'> {
  return { kind, presence: 'assigned', ...(initial !== undefined && { initial: () => initial() }) };
}

/** Like `assigned`, and absent until the platform has a value. */
export function assignedOptional<Value>(kind: FieldKind<Value>): Field<Value, 'assignedOptional'> {
  return { kind, presence: 'assignedOptional' };
}

type OptionalNames<F> = {
  [K in keyof F]: F[K] extends Field<unknown, 'optional' | 'assignedOptional'> ? K : never;
}[keyof F];
type KindValue<D> = D extends { readonly kind: FieldKind<infer Value> } ? Value : never;

/** The stored and read value of an object with these fields. */
export type ValueOf<F> = {
  [K in Exclude<keyof F, OptionalNames<F>>]: KindValue<F[K]>;
} & {
  [K in OptionalNames<F>]?: KindValue<F[K]>;
};

/** A kind whose parsed values are checked further, or completed; `refine` records a fault to refuse one. */
export function refined<Value>(
  kind: FieldKind<Value>,
  refine: (value: Value, parsing: Parsing) => Value | undefined,
): FieldKind<Value> {
  return {
    ...kind,
    parse: (input, parsing) => {
      const value = kind.parse(input, parsing);
      return value === undefined ? undefined : refine(value, parsing);
    },
  };
}

/** Whether a field of this presence is there in every read. */
export function isAlwaysPresent(field: Field<unknown>): boolean {
  return field.presence === 'required' || field.presence === 'defaulted' || field.presence === 'assigned';
}

/** Score of loading another resource, against 1 for a field of the resource at hand. */
export const expansionComplexity = 5;

/** The single output field of a kind that reads its JSON value as it is. */
export function plainOutput(item: string, complexity = 1, types: () => readonly OutputType[] = noTypes): Output {
  return {
    item,
    types,
    fields: (name, isRequired) => [
      { name, type: isRequired ? `${item}!` : item, complexity, read: (parent) => parent[name] },
    ],
  };
}

/** The same kind for a member that GraphQL does not show. */
export function hiddenInGraphql<Value>(kind: FieldKind<Value>): FieldKind<Value> {
  return { ...kind, output: { ...kind.output, fields: noTypes, types: noTypes } };
}

/** The same kind for a member that GraphQL shows as `name`. */
export function shownAs<Value>(name: string, kind: FieldKind<Value>): FieldKind<Value> {
  const { output } = kind;
  return {
    ...kind,
    output: {
      ...output,
      fields: (member, isRequired) =>
        output.fields(name, isRequired).map((field) => ({ ...field, read: (parent) => parent[member] })),
    },
  };
}

/** The same kind for a member that GraphQL's inputs call `name`. */
export function calledInGraphql<Value>(kind: FieldKind<Value>, name: string): FieldKind<Value> {
  return { ...kind, input: kind.input && { ...kind.input, name } };
}

/** The same kind for an object that GraphQL's inputs give more members, which say nothing here: they are taken and left. */
export function takingInGraphql<Value>(kind: FieldKind<Value>, ...members: readonly InputField[]): FieldKind<Value> {
  const { input } = kind;
  if (input === undefined) return kind;
  return { ...kind, input: { ...input, types: () => input.types().map((type) => withMembers(type, input, members)) } };
}

function withMembers(
  type: ReturnType<Input['types']>[number],
  { type: name }: Input,
  members: readonly InputField[],
): ReturnType<Input['types']>[number] {
  return 'fields' in type && type.name === name ? { ...type, fields: [...type.fields, ...members] } : type;
}

/** An input that is in GraphQL what it is in REST. */
export function plainInput(type: string, types: Input['types'] = noTypes): Input {
  return { type, types };
}

/** The schema of a kind that is given as it is read. */
export function sameSchema(schema: JsonSchema): Schema {
  return { draft: schema, value: schema };
}

/** The schema of a type called `name`, and of its drafts called `<name>Draft` where they differ. */
export function namedSchema(name: string, { draft, value }: Schema): Schema {
  if (isDeepStrictEqual(draft, value)) return sameSchema({ title: name, ...value });
  const draftName = name.endsWith('Draft') ? name : `${name}Draft`;
  return { draft: { title: draftName, ...draft }, value: { title: name, ...value } };
}

export function noTypes(): readonly never[] {
  return [];
}
