import { assigned, assignedOptional, type ValueOf } from '../fields/field.ts';
import { initiator } from '../fields/initiator.ts';
import { dateTime, integer, text } from '../fields/scalar.ts';

/** Fields of every versioned resource. */
export const versioned = {
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

/** A value that only one resource of the kind may hold at a time. */
export interface UniqueValue {
  readonly field: string;
  readonly value: string;
  /** The value as an error names it, where that is another. */
  readonly shown?: string;
  /** Kinds of which only one resource may hold it. A constraint of the database says so as well. */
  readonly among?: readonly string[];
  /** How many resources of the kind may hold it at once; one may without it. It finds none of them. */
  readonly holdersMax?: number;
}

/** A value that a write could not take. */
export type TakenValue = Pick<UniqueValue, 'field'> & { readonly value: unknown };

/** What may be looked at and not changed, however deep. */
export type Fixed<T> = T extends object ? { readonly [Name in keyof T]: Fixed<T[Name]> } : T;

/** What the platform keeps of a resource that no client sees. */
export type Internals = Readonly<Record<string, unknown>>;

/** A resource that says what others hold. Shared between requests, so nobody may change one. */
export interface Description {
  readonly document: Fixed<Document>;
  readonly internals: Internals;
  /** That it has as text. */
  readonly bytes: number;
}
