import { apiError } from '../errors/api-error.ts';
import { type Field, type Fields, type InputField, optional, required, type ValueOf } from '../fields/field.ts';
import { inputFields, inputTypesOf, readInput } from '../fields/object.ts';
import type { Action, ApplyContext } from './resource.ts';

/** An update action whose effect is coded. */
export function action<D extends object, const F extends Fields>(
  fields: F,
  apply: (document: D, input: ValueOf<F>, context: ApplyContext) => void,
): Action {
  // The engine calls an action with documents of its own kind and input parsed by these fields.
  return { fields, apply: apply as unknown as Action['apply'] };
}

/** The same of an action that copies the whole of the resource. */
export function whole(declared: Action): Action {
  return { ...declared, isWhole: true };
}

/** The same of an action that has more members in GraphQL, which say nothing here: they are taken and left. */
export function withGraphqlMembers(declared: Action, ...members: readonly InputField[]): Action {
  const { fields } = declared;
  return {
    ...declared,
    input: {
      fields: [...inputFields(fields), ...members],
      types: () => inputTypesOf(fields),
      read: (input) => readInput(fields, input),
    },
  };
}

export interface Plain {
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

/** What such a declaration means. Throws where it names a field that the kind does not have. */
export function plainAction(kind: string, fields: Fields, { plain, field, input }: Plain): Action {
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
