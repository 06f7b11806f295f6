/**
 * An update action that is kept to be applied later. Its form is looked at when it is staged; what it names, and whether it
 * can be applied, by each preview (orders 34).
 */
import { apiError } from '../../errors/api-error.ts';
import { type FieldKind, type Input, type Output, type OutputField, type Schema } from '../../fields/field.ts';
import { json } from '../../fields/json.ts';
import {
  inputFields,
  inputTypesOf,
  isObject,
  objectSchema,
  parseObject,
  readInput,
  withMembers,
} from '../../fields/object.ts';
import { describe, Parsing } from '../../fields/parsing.ts';
import type { Shape } from '../../predicate/shape.ts';
import type { Action } from '../../engine/resource.ts';
import { stagedActions } from './staged-actions.ts';
import { stagedFields, stagedTypes } from './staged-output.ts';

export type StagedAction = { readonly action: string } & Readonly<Record<string, unknown>>;

const free = json();

function parse(input: unknown, parsing: Parsing): StagedAction | undefined {
  if (!isObject(input)) return parsing.wrongType('an object', input);
  const { action: name } = input;
  const since = parsing.faultCount;
  if (name === undefined || name === null) parsing.missing();
  else if (typeof name !== 'string') parsing.wrongType('a string', name);
  if (typeof name !== 'string') {
    parsing.within('action', since);
    return undefined;
  }
  const action = stagedActions.get(name);
  if (action === undefined)
    return parsing.fault(
      'InvalidInput',
      (field) => `The update action ${describe(name)} of '${field}' cannot be staged for an order.`,
    );
  // What it names may come and go until it is applied.
  const apart = new Parsing();
  parseObject(action.fields, input, apart);
  parsing.takeFaults(apart);
  const given = Object.entries(input).filter(
    ([member, value]) => Object.hasOwn(action.fields, member) && value !== undefined && value !== null,
  );
  const staged = { action: name, ...Object.fromEntries(given) };
  return parsing.faultCount > since ? undefined : (free.parse(staged, parsing) as StagedAction | undefined);
}

/** `addDelivery` is `AddStagedOrderDelivery` in GraphQL. */
function graphqlName(name: string): string {
  const [, verb = '', rest = ''] = /^([a-z]+)(.*)$/.exec(name) ?? [];
  return `${verb[0]!.toUpperCase()}${verb.slice(1)}StagedOrder${rest}`;
}

const typeField: OutputField = { name: 'type', type: 'String!', complexity: 1, read: (staged) => staged['action'] };

const outputName = 'StagedOrderUpdateActionOutput';
const output: Output = {
  item: outputName,
  fields: (name) => [{ name, type: `${outputName}!`, complexity: 1, read: (parent) => parent[name] }],
  types: () => [
    {
      type: 'interface',
      name: outputName,
      fields: [typeField],
      formOf: ({ action }) => String(action),
      members: Object.fromEntries(
        [...stagedActions].map(([name, action]) => [
          name,
          { name: `${graphqlName(name)}Output`, fields: [typeField, ...stagedFields(name, action)] },
        ]),
      ),
    },
    ...stagedTypes(stagedActions),
  ],
};

const inputName = 'StagedOrderUpdateAction';
const input: Input = {
  type: inputName,
  types: () => [
    { name: inputName, fields: [...stagedActions.keys()].map((name) => ({ name, type: graphqlName(name) })) },
    ...[...stagedActions].map(([name, { fields, input: irregular }]) => ({
      name: graphqlName(name),
      fields: irregular?.fields ?? inputFields(fields),
    })),
    ...[...stagedActions.values()].flatMap(
      ({ fields, input: irregular }) => irregular?.types() ?? inputTypesOf(fields),
    ),
  ],
  read: (value) => {
    const given = Object.entries(isObject(value) ? value : {}).filter(([, member]) => member !== null);
    const [first] = given;
    if (first === undefined || given.length > 1)
      throw apiError('InvalidInput', `Each staged action has exactly one member, but ${given.length} were given.`);
    const [name, members] = first;
    // The schema knows no other members.
    const { fields, input: irregular } = stagedActions.get(name)!;
    const own = isObject(members) ? members : {};
    return { ...(irregular === undefined ? readInput(fields, own) : (irregular.read(own) as object)), action: name };
  },
};

function schemaOf(name: string, { fields }: Action): Schema['draft'] {
  const title = `StagedOrder${name[0]!.toUpperCase()}${name.slice(1)}Action`;
  return { title, ...withMembers(objectSchema(fields).draft, { action: { type: 'string', const: name } }) };
}

const schema = { title: inputName, oneOf: [...stagedActions].map(([name, action]) => schemaOf(name, action)) };

/** Members are stored as the client gave them: resources, for one, by an id or by a key. */
const shape: Shape = {
  class: 'object',
  fields: new Map<string, Shape>([
    ...[...stagedActions.values()].flatMap(({ fields }) =>
      Object.keys(fields).map((name): [string, Shape] => [name, { class: 'dynamic' }]),
    ),
    ['action', { class: 'text' }],
  ]),
};

export const stagedAction: FieldKind<StagedAction> = {
  parse,
  shape,
  output,
  input,
  schema: { draft: schema, value: schema },
  examples: [{ action: 'setCustomerEmail', email: 'jane@example.org' }],
};
