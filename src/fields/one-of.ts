import { apiError } from '../errors/api-error.ts';
import {
  assigned,
  type FieldKind,
  type Fields,
  type Input,
  type InputField,
  namedSchema,
  type Output,
  type OutputField,
  plainOutput,
  type Schema,
  type DescribedPlace,
  type VisitDescribed,
} from './field.ts';
import {
  checkMembers,
  examplesOf,
  inputFields,
  inputTypesOf,
  isObject,
  objectSchema,
  outputObject,
  outputTypesOf,
  parseObject,
  readInput,
  visitDescribed,
  visitReferences,
  withMembers,
} from './object.ts';
import type { Parsing } from './parsing.ts';
import { text } from './scalar.ts';

/** One form of a tagged object. */
export interface Branch {
  /** GraphQL object type of this form. */
  readonly typeName: string;
  readonly fields: Fields;
  /** Checks what single fields cannot say, after they were parsed. */
  readonly check?: (value: Readonly<Record<string, unknown>>, parsing: Parsing) => void;
  /** Fields of this form as GraphQL gives them, where they differ from what the declared fields derive. */
  readonly output?: readonly OutputField[];
  /** Name of the GraphQL input type; by default the type's name and `Draft`. */
  readonly input?: string;
  /** Valid values without the tag, where `check` refuses what the fields' own examples make. */
  readonly examples?: readonly object[];
}

export interface OneOfNames {
  /** The member that tells the form. */
  readonly tag?: 'type' | 'name';
  /** Name of the GraphQL input type, which has a member for each form; by default the interface's name and `Draft`. */
  readonly input?: string;
  /** The forms are some of those of another kind, which declares the GraphQL types. */
  readonly isPart?: boolean;
  /** Members of all forms that GraphQL's interface has beside the tag. */
  readonly shared?: Fields;
  /** The form of a value in GraphQL, where the tag alone does not tell it. */
  readonly formOf?: (value: Readonly<Record<string, unknown>>) => string;
}

/** The value of a tagged object; its branch tells the other members. */
export type Tagged<Tag extends 'type' | 'name' = 'type'> = { [T in Tag]: string } & { [member: string]: unknown };

/** An object whose member `type` tells which branch it follows; `typeName` is its GraphQL interface. */
export function oneOf(
  typeName: string,
  branches: Readonly<Record<string, Branch>>,
  names?: OneOfNames & { tag?: 'type' },
): FieldKind<Tagged>;
export function oneOf(
  typeName: string,
  branches: Readonly<Record<string, Branch>>,
  names: OneOfNames & { tag: 'name' },
): FieldKind<Tagged<'name'>>;
export function oneOf(
  typeName: string,
  branches: Readonly<Record<string, Branch>>,
  names: OneOfNames = {},
): FieldKind<Tagged<'type' | 'name'>> {
  const { tag = 'type' } = names;
  for (const [form, { fields }] of Object.entries(branches))
    if (Object.hasOwn(fields, tag))
      throw new Error(`${typeName}: the form ${form} has a member called ${tag}, as its tag is`);
  const byTag = new Map(Object.entries(branches).map(([form, branch]) => [form, taggedBranch(tag, form, branch)]));
  const branchOf = (value: Readonly<Record<string, unknown>>): Branch | undefined => byTag.get(String(value[tag]));
  const isDescribed = [...byTag.values()].some(({ fields }) =>
    Object.values(fields).some(({ kind }) => kind.described),
  );
  return {
    // What parseTagged gives has the tag.
    parse: (input, parsing) => parseTagged({ tag, byTag }, input, parsing) as Tagged<'type' | 'name'> | undefined,
    shape: {
      class: 'object',
      fields: new Map([
        [tag, { class: 'text' }],
        ...Object.values(branches).flatMap((branch) =>
          Object.entries(branch.fields).map(([name, field]) => [name, field.kind.shape] as const),
        ),
      ]),
    },
    output: names.isPart === true ? plainOutput(typeName) : taggedOutput(typeName, branches, names),
    input: taggedInput(typeName, branches, names),
    schema: taggedSchema(typeName, branches, names),
    check: (value, parsing) => {
      const branch = branchOf(value);
      if (branch !== undefined) checkMembers(branch.fields, value, parsing);
    },
    references: (value, visit) => {
      const branch = branchOf(value);
      if (branch !== undefined) visitReferences(branch.fields, value, visit);
    },
    ...(isDescribed && {
      described: (value: Tagged<'type' | 'name'>, place: DescribedPlace, visit: VisitDescribed) => {
        const branch = branchOf(value);
        if (branch !== undefined) visitDescribed(branch.fields, value, { place, visit });
      },
    }),
    examples: Object.entries(branches).flatMap(([form, branch]) =>
      (branch.examples ?? examplesOf(branch.fields)).map((example) => ({ [tag]: form, ...example })),
    ),
  };
}

function taggedOutput(
  typeName: string,
  branches: Readonly<Record<string, Branch>>,
  { tag = 'type', shared = {}, formOf = (value) => String(value[tag]) }: OneOfNames,
): Output {
  /** The GraphQL field that every form has beside its own. */
  const tagField: OutputField = { name: tag, type: 'String!', complexity: 1, read: (parent) => parent[tag] };
  const members = Object.fromEntries(
    Object.entries(branches).map(([form, branch]) => {
      const object = outputObject(branch.typeName, branch.fields);
      return [form, { ...object, fields: [tagField, ...(branch.output ?? object.fields)] }];
    }),
  );
  return plainOutput(typeName, 1, () => [
    {
      type: 'interface',
      name: typeName,
      fields: [tagField, ...outputObject(typeName, shared).fields],
      formOf,
      members,
    },
    ...Object.values(branches).flatMap((branch) => outputTypesOf(branch.fields)),
  ]);
}

/** A GraphQL input object cannot be empty, so forms without fields have this member, which says nothing. */
const emptyForm: readonly InputField[] = [{ name: 'dummy', type: 'String' }];

/** `{ <form>: { <fields> } }` with exactly one member. */
function taggedInput(
  typeName: string,
  branches: Readonly<Record<string, Branch>>,
  { tag = 'type', input: name = `${typeName}Draft` }: OneOfNames,
): Input {
  const forms = Object.entries(branches).map(([form, branch]) => {
    return {
      form,
      inputName: branch.input ?? `${branch.typeName}Draft`,
      fields: branch.fields,
    };
  });
  const byForm = new Map(forms.map((given) => [given.form, given]));
  return {
    type: name,
    types: () => [
      { name, fields: forms.map(({ form, inputName }) => ({ name: form, type: inputName })) },
      ...forms.map(({ inputName, fields }) => {
        const given = inputFields(fields);
        return { name: inputName, fields: given.length > 0 ? given : emptyForm };
      }),
      ...forms.flatMap(({ fields }) => inputTypesOf(fields)),
    ],
    read: (value) => {
      const given = Object.entries(isObject(value) ? value : {}).filter(([, member]) => member !== null);
      const [first] = given;
      if (first === undefined || given.length > 1)
        throw apiError('InvalidInput', `The input ${name} takes exactly one of ${[...byForm.keys()].join(', ')}.`);
      // The schema knows no other members.
      const { form, fields } = byForm.get(first[0])!;
      return { [tag]: form, ...readInput(fields, isObject(first[1]) ? first[1] : {}) };
    },
  };
}

function taggedSchema(
  typeName: string,
  branches: Readonly<Record<string, Branch>>,
  { tag = 'type', isPart = false }: OneOfNames,
): Schema {
  const forms = Object.entries(branches).map(([form, { typeName: name, fields }]) => {
    const { draft, value } = objectSchema(fields);
    const tagSchema = { [tag]: { type: 'string', const: form } };
    return namedSchema(name, { draft: withMembers(draft, tagSchema), value: withMembers(value, tagSchema) });
  });
  const schema = {
    draft: { oneOf: forms.map(({ draft }) => draft) },
    value: { oneOf: forms.map(({ value }) => value) },
  };
  return isPart ? schema : namedSchema(typeName, schema);
}

interface TaggedBranch extends Branch {
  /** The fields with the tag before them. */
  readonly tagged: Fields;
}

function taggedBranch(tag: string, form: string, branch: Branch): TaggedBranch {
  return { ...branch, tagged: { [tag]: assigned(text(), () => form), ...branch.fields } };
}

function parseTagged(
  { tag, byTag }: { readonly tag: string; readonly byTag: ReadonlyMap<string, TaggedBranch> },
  input: unknown,
  parsing: Parsing,
): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(input)) return parsing.wrongType('an object', input);
  const form = input[tag];
  const branch = typeof form === 'string' ? byTag.get(form) : undefined;
  if (typeof form !== 'string' || branch === undefined) {
    const since = parsing.faultCount;
    if (form === undefined) parsing.missing();
    else parsing.wrongValue(form, [...byTag.keys()].join(' or '));
    parsing.within(tag, since);
    return undefined;
  }
  const since = parsing.faultCount;
  const value = parseObject(branch.tagged, input, parsing);
  if (value === undefined) return undefined;
  branch.check?.(value, parsing);
  return parsing.faultCount === since ? value : undefined;
}
