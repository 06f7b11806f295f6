import type { Endpoint, Resource } from '../engine/resource.ts';
import { isAnswerKind, isAnswerList } from '../engine/endpoint.ts';
import { actionsMax } from '../engine/operations/steps.ts';
import { limitDefault, limitMax, limitMin, offsetMax } from '../engine/operations/query.ts';
import { statusOf } from '../errors/codes.ts';
import type { JsonSchema } from '../fields/field.ts';
import { objectSchema, withMembers } from '../fields/object.ts';
import {
  formType,
  jsonType,
  type OperationDescription,
  type Parameter,
  pathNames,
  places,
  readFailures,
  writeFailures,
} from './description.ts';
import { endpointPath } from '../engine/views.ts';
import { type Operation, readMethods } from './operations.ts';

/** The types of a resource. */
export interface ResourceSchemas {
  readonly value: JsonSchema;
  /** What a create answers with. */
  readonly created: JsonSchema;
  readonly draft: JsonSchema;
  readonly update: JsonSchema;
  readonly page: JsonSchema;
}

const integer: JsonSchema = { type: 'integer' };

export type Whose = '' | 'My';

/** The operations of a resource on its own paths, or on those of shoppers. */
function whoseOf({ shoppers }: Operation): Whose {
  return shoppers === undefined ? '' : 'My';
}

/** `whose` begins the names of what is taken, where shoppers may give less than others. */
export function resourceSchemas(
  { schemaName, fields, shownFields, draft, graphql, createdIn, actions, preview }: Resource,
  whose: Whose = '',
): ResourceSchemas {
  const name = `${whose}${schemaName}`;
  const shownName = shownFields === fields ? schemaName : name;
  const value = { title: shownName, ...objectSchema(shownFields).value };
  const forms = [...actions].map(([action, { fields: taken }]): JsonSchema => {
    const tag = { action: { type: 'string', const: action } };
    return { title: `${name}${upperFirst(action)}Action`, ...withMembers(objectSchema(taken).draft, tag) };
  });
  return {
    value,
    created: createdSchema(value, { createdIn, graphql }),
    draft: { title: `${name}Draft`, ...objectSchema(draft).draft },
    update: {
      title: `${name}Update`,
      type: 'object',
      properties: {
        version: integer,
        actions: { type: 'array', items: { title: `${name}UpdateAction`, oneOf: forms }, maxItems: actionsMax },
        ...(preview !== undefined && { dryRun: { type: 'boolean' } }),
      },
      required: ['version', 'actions'],
    },
    page: pageSchema(`${shownName}PagedQueryResponse`, value),
  };
}

function pageSchema(title: string, item: JsonSchema): JsonSchema {
  return {
    title,
    type: 'object',
    properties: {
      limit: integer,
      offset: integer,
      count: integer,
      total: { type: 'integer', description: 'Absent with withTotal=false.' },
      results: { type: 'array', items: item },
    },
    required: ['limit', 'offset', 'count', 'results'],
  };
}

function createdSchema(value: JsonSchema, { createdIn, graphql }: Pick<Resource, 'createdIn' | 'graphql'>): JsonSchema {
  if (createdIn !== undefined) {
    const { typeName, member, others } = createdIn;
    const links = Object.entries(others).map(([name, type]) => [name, { $ref: `#/components/schemas/${type}` }]);
    const properties = { [member]: value, ...Object.fromEntries(links) };
    return { title: typeName, type: 'object', properties, required: [member] };
  }
  return graphql.created === undefined ? value : { allOf: [value, createdMembers(graphql.created.fields)] };
}

/** Members that only the answer to a create has are texts, such as a secret. */
function createdMembers(fields: Readonly<Record<string, string>>): JsonSchema {
  const names = Object.keys(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  };
}

/** One operation other than HEAD, which comes with GET; `schemas` are those of its resource. */
export function describeOperation(operation: Operation, schemas: ResourceSchemas): OperationDescription {
  const { resource, method, scopes } = operation;
  const pathParameters = ownNames(operation).map((name) => pathParameter(resource, name));
  const about = workOf(operation, schemas);
  return {
    ...about,
    id: `${about.id}${operation.isInStore ? 'InStore' : ''}`,
    tag: resource.schemaName,
    access: scopes,
    parameters: [...pathParameters, ...ownParameters(operation), ...(about.parameters ?? [])],
    failures: [...(readMethods.has(method) ? readFailures : writeFailures), ...(about.failures ?? [])],
  };
}

type Work = Pick<OperationDescription, 'id' | 'summary' | 'parameters' | 'body' | 'answers'> &
  Partial<Pick<OperationDescription, 'failures'>>;

function workOf(operation: Operation, schemas: ResourceSchemas): Work {
  switch (operation.extent) {
    case 'endpoint':
      return endpointWork(operation.resource, operation.endpoint!, schemas);
    case 'list':
    case 'part':
      return listWork(operation, schemas);
    case 'item':
    case 'settings':
      return itemWork(operation, schemas);
  }
}

function endpointWork(resource: Resource, endpoint: Endpoint, schemas: ResourceSchemas): Work {
  const path = endpointPath(resource, endpoint);
  const { method, answer, status } = endpoint;
  return {
    id: `${method === 'GET' ? 'get' : 'post'}${pascal(path.replaceAll(/[^a-z]+/gi, '-').replace(/-$/, ''))}`,
    summary: endpoint.summary ?? `${method} ${path}.`,
    parameters: endpointParameters(answer),
    ...(method === 'POST' && { body: endpointBody(endpoint) }),
    answers: { [status]: answerSchema(answer, schemas) },
    failures: endpoint.failures.map(statusOf),
  };
}

function endpointBody({ body, file, takesForm, parameters }: Endpoint): NonNullable<Work['body']> {
  if (file !== undefined) return { mediaTypes: file.mediaTypes, schema: {} };
  if (!takesForm) return { mediaTypes: [jsonType], schema: objectSchema(body).draft };
  const entries = Object.entries(parameters).map(([name, { kind }]) => [name, kind.schema.draft] as const);
  const [families, plain] = [true, false].map((isFamily) =>
    entries.filter(([, { type }]) => (type === 'object') === isFamily),
  );
  return {
    mediaTypes: [formType],
    schema: {
      type: 'object',
      properties: Object.fromEntries(plain!),
      patternProperties: Object.fromEntries(
        families!.map(([name, schema]) => [`^${name}\\.`, schema['additionalProperties']]),
      ),
    },
  };
}

function endpointParameters(answer: Endpoint['answer']): readonly Parameter[] {
  if (isAnswerList(answer)) return queryParameters({ withTotal: false });
  return [...(answer === 'page' ? [sort] : []), ...(typeof answer === 'string' ? [expand] : [])];
}

/** What it takes in its query beside what others of its extent take. */
function ownParameters({ path, parameters }: Operation): readonly Parameter[] {
  const inPath = new Set(pathNames(path));
  return Object.entries(parameters)
    .filter(([name]) => !inPath.has(name))
    .map(([name, { kind, presence }]) =>
      query(name, parameterSchema(name, kind.schema.draft), presence === 'required'),
    );
}

/** Of lists by the rest of the name, as `searchKeywords.en`. */
function parameterSchema(name: string, schema: JsonSchema): JsonSchema {
  if (schema['type'] !== 'object') return schema;
  return { type: 'object', patternProperties: { [`^${name}\\.`]: schema['additionalProperties'] } };
}

function answerSchema(answer: Endpoint['answer'], { page, value, created }: ResourceSchemas): JsonSchema {
  switch (answer) {
    case 'page':
      return page;
    case 'one':
      return value;
    case 'created':
      return created;
    default:
      if (isAnswerList(answer))
        return pageSchema(answer.pageName, { title: answer.itemName, ...objectSchema(answer.itemFields).value });
      return isAnswerKind(answer) ? answer.schema.value : objectSchema(answer).value;
  }
}

function listWork(operation: Operation, schemas: ResourceSchemas): Work {
  const { value, created, draft, page } = schemas;
  const { schemaName, path, lifecycle } = operation.resource;
  const name = `${whoseOf(operation)}${schemaName}`;
  if (operation.method !== 'POST')
    return {
      id: `query${whoseOf(operation)}${pascal(path)}${nameOfPath(operation)}`,
      summary: `Query ${pascal(path)}.`,
      parameters: [...queryParameters({ withTotal: true }), ...[...operation.byParameter].map(parameterInstead)],
      answers: { 200: oneOf([page, ...answersInstead(operation, schemas)]) },
    };
  const isUpsert = lifecycle === 'upserted';
  return {
    id: `${isUpsert ? 'createOrUpdate' : 'create'}${name}`,
    summary: isUpsert ? `Create or replace one ${name}.` : `Create one ${name}.`,
    parameters: [expand],
    body: { mediaTypes: [jsonType], schema: draft },
    answers: isUpsert ? { 200: value, 201: created } : { 201: created },
  };
}

function answersInstead({ byParameter }: Operation, schemas: ResourceSchemas): readonly JsonSchema[] {
  return [...byParameter.values()].map(({ endpoint }) => answerSchema(endpoint!.answer, schemas));
}

function oneOf(schemas: readonly JsonSchema[]): JsonSchema {
  return schemas.length === 1 ? schemas[0]! : { oneOf: schemas };
}

function parameterInstead([name, { method, path }]: readonly [string, Operation]): Parameter {
  return {
    ...query(name, { type: 'string' }),
    description: `With it, and without where, the answer is that of ${method} ${path}.`,
  };
}

function itemWork(operation: Operation, { value, update }: ResourceSchemas): Work {
  const { resource, method, extent } = operation;
  const name = `${whoseOf(operation)}${resource.schemaName}`;
  const named = `${name}${nameOfPath(operation)}`;
  const answers = { 200: value };
  if (method === 'DELETE')
    return { id: `delete${named}`, summary: `Delete one ${name}.`, parameters: deleteParameters(resource), answers };
  const parameters = extent === 'settings' ? [] : [expand];
  if (method !== 'POST') return { id: `get${named}`, summary: `Read one ${name}.`, parameters, answers };
  return {
    id: `update${named}`,
    summary: `Apply update actions to one ${name}: all of them or none.`,
    parameters,
    body: { mediaTypes: [jsonType], schema: update },
    answers,
  };
}

/** `ByKey`, `ById`, `ByContainerAndKey`; empty for the path of all. */
function nameOfPath(operation: Operation): string {
  const names = ownNames(operation);
  return names.length === 0 ? '' : `By${names.map((name) => (name === 'ID' ? 'Id' : upperFirst(name))).join('And')}`;
}

/** Names in the path that are the resource's own. */
function ownNames({ path }: Operation): readonly string[] {
  return pathNames(path).filter((name) => !places.has(name));
}

function pathParameter({ fields }: Resource, name: string): Parameter {
  return { name, in: 'path', required: true, schema: fields[name]?.kind.schema.value ?? { type: 'string' } };
}

function query(name: string, schema: JsonSchema, isRequired = false): Parameter {
  return { name, in: 'query', ...(isRequired && { required: true }), schema };
}

const texts: JsonSchema = { type: 'array', items: { type: 'string' } };
const expand = query('expand', texts);
const sort = query('sort', texts);

/** The common query parameters (specification 4.1). */
function queryParameters({ withTotal }: { readonly withTotal: boolean }): readonly Parameter[] {
  return [...whichResults, query('withTotal', { type: 'boolean', default: withTotal })];
}

const whichResults: readonly Parameter[] = [
  query('where', texts),
  {
    ...query('var', { type: 'object', patternProperties: { '^var\\.': texts } }),
    description: 'Values of the variables of predicates, each as `var.<name>`.',
  },
  sort,
  expand,
  query('limit', { type: 'integer', minimum: limitMin, maximum: limitMax, default: limitDefault }),
  query('offset', { type: 'integer', minimum: 0, maximum: offsetMax, default: 0 }),
];

function deleteParameters({ lifecycle, holdsPersonalData }: Resource): readonly Parameter[] {
  return [
    ...(lifecycle === 'fixed' ? [] : [query('version', integer, lifecycle === 'versioned')]),
    ...(holdsPersonalData ? [query('dataErasure', { type: 'boolean' })] : []),
    expand,
  ];
}

function pascal(kebab: string): string {
  return kebab.split('-').map(upperFirst).join('');
}

export function upperFirst(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
