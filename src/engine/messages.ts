/** What kinds tell of their resources: types of messages, and what leaves which. */
import type { Fields, ValueOf } from '../fields/field.ts';
import { type Document, type Fixed, versioned } from './document.ts';

/** A type of messages, and the members that its messages have beside those of all. */
export interface MessageType<F extends Fields = Fields> {
  readonly type: string;
  readonly fields: F;
  /** What GraphQL calls the type of its payload, where that is something else. */
  readonly payloadName?: string;
}

export function messageType<const F extends Fields>(
  type: string,
  fields: F,
  named: Pick<MessageType, 'payloadName'> = {},
): MessageType<F> {
  return { type, fields, ...named };
}

/** A message that a write leaves. A payload that is a function is made of the document as it is stored. */
export interface Told {
  readonly type: string;
  /** Of a document of the kind, which only the kind can say. */
  readonly payload: object | ((document: never) => object);
}

type IsOptional<V, Name extends keyof V> = Partial<Pick<V, Name>> extends Pick<V, Name> ? true : false;

/** Optional members that are undefined are left out. */
type Given<V> = {
  readonly [Name in keyof V as IsOptional<V, Name> extends true ? never : Name]: Fixed<V[Name]>;
} & { readonly [Name in keyof V as IsOptional<V, Name> extends true ? Name : never]?: Fixed<V[Name]> | undefined };

/** A message of a type, whose payload the compiler holds to the fields. */
export function told<F extends Fields, D = Document>(
  { type }: MessageType<F>,
  payload: Given<ValueOf<F>> | ((document: Fixed<D>) => Given<ValueOf<F>>),
): Told {
  return { type, payload };
}

/** What a kind tells. */
export interface Telling<D = Document> {
  readonly types: readonly MessageType[];
  /** The kind of the resources that messages of these types are about; the kind itself by default. */
  readonly about?: string;
  /** Of a new resource, as it is stored. */
  created?(document: Fixed<D>): readonly Told[];
  /** Of one that goes. */
  deleted?(document: Fixed<D>): readonly Told[];
  /** Of one that has become another, whether by actions or because it follows others, beside what its actions have told. */
  replaced?(before: Fixed<D>, after: Fixed<D>, told: readonly Told[]): readonly Told[];
  /**
   * Of a number that increments count down: `replaced` tells of it when it was above this and is not any more. By default
   * increments tell nothing.
   */
  levelOf?(document: Fixed<D>, member: string): number | undefined;
  /** What else a client may know it by; members of the document that are called so are taken by themselves. */
  identifiers?(document: Fixed<D>): Identifiers;
}

/** What clients gave a resource to know it by. */
export interface Identifiers {
  readonly sku?: string | undefined;
  readonly slug?: Fixed<Record<string, string>> | undefined;
}

/** Members that messages of all types have, beside the type itself. What else they have is the payload of the type. */
export const commonMembers: ReadonlySet<string> = new Set([
  ...Object.keys(versioned),
  'sequenceNumber',
  'resource',
  'resourceVersion',
  'resourceUserProvidedIdentifiers',
]);
