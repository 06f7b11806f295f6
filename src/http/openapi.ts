import { isDeepStrictEqual } from 'node:util';
import { scopeName } from '../engine/access.ts';
import type { Registry } from '../engine/resource.ts';
import { viewsOf } from '../engine/views.ts';
import type { JsonSchema } from '../fields/field.ts';
import {
  jsonType,
  type OperationDescription,
  type Parameter,
  pathNames,
  places,
  type RouteOperations,
} from './description.ts';
import { errorSchema } from './openapi-errors.ts';
import { describeOperation, resourceSchemas, upperFirst } from './openapi-resources.ts';
import { Schemas } from './openapi-schemas.ts';
import { operationsOf } from './operations.ts';
import { statusLine } from './response.ts';
import type { Method } from './request.ts';
import type { PlainRoute, ProjectRoute } from './routes.ts';

/** What the document tells of. */
export interface Described {
  readonly version: string;
  readonly registry: Registry;
  readonly plainRoutes: readonly Pick<PlainRoute, 'path' | 'operations'>[];
  readonly projectRoutes: readonly Pick<ProjectRoute, 'path' | 'operations'>[];
}

type Entry = readonly [path: string, method: Method, description: OperationDescription];

/** The API as an OpenAPI 3.1 document, from the declarations that requests are served by. */
export function openapiDocument(described: Described): object {
  const writer = new Writer();
  const paths: Record<string, Record<string, object>> = {};
  for (const [path, method, description] of entriesOf(described)) {
    const item = (paths[path] ??= {});
    item[method.toLowerCase()] = writer.operation(path, description);
    if (method === 'GET') item['head'] = writer.head(path, description);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tradepost', version: described.version, description: introduction },
    servers: [{ url: '/' }],
    paths,
    components: writer.components(),
  };
}

const introduction =
  'A member of a draft, an action or a parameter that is null or absent has no value; members that are not listed are ' +
  'ignored. Where an operation lists several scopes, one of them is enough. `manage_project:{projectKey}` implies all ' +
  'scopes of the project, and a scope `manage_…` the scope `view_…` beside it.';

function entriesOf({ registry, plainRoutes, projectRoutes }: Described): readonly Entry[] {
  return [
    ...plainRoutes.flatMap(({ path, operations }) => entriesAt(path, operations)),
    ...registry.resources.flatMap((resource) => {
      const schemas = new Map(
        viewsOf(resource).map((view) => [view.resource, resourceSchemas(view.resource, view.isMine ? 'My' : '')]),
      );
      return operationsOf(resource)
        .filter(({ method }) => method !== 'HEAD')
        .map((operation): Entry => {
          return [operation.path, operation.method, describeOperation(operation, schemas.get(operation.resource)!)];
        });
    }),
    ...projectRoutes.flatMap(({ path, operations }) =>
      entriesAt(path === '' ? '/{projectKey}' : `/{projectKey}/${path}`, operations),
    ),
  ];
}

function entriesAt(path: string, operations: RouteOperations): readonly Entry[] {
  // The type of operations names its members.
  return (Object.entries(operations) as [Method, OperationDescription][]).map(([method, description]) => [
    path,
    method,
    description,
  ]);
}

/** Writes operations, and keeps what they share. */
class Writer {
  readonly #schemas = new Schemas();
  readonly #parameters = new Map<string, object>();
  readonly #scopes = new Set<string>();
  readonly #failures = new Set<number>();

  operation(path: string, description: OperationDescription): object {
    const { id, summary, body, answers, answerTypes = [jsonType], failures } = description;
    return {
      operationId: id,
      summary,
      ...this.#request(path, description),
      ...(body !== undefined && {
        requestBody: { required: true, content: this.#content(body.mediaTypes, body.schema) },
      }),
      responses: {
        ...Object.fromEntries(
          Object.entries(answers).map(([status, schema]) => [
            status,
            this.#answer(Number(status), schema, answerTypes),
          ]),
        ),
        ...Object.fromEntries(failures.map((status) => [status, this.#failure(status)])),
      },
    };
  }

  /** The twin of a GET. */
  head(path: string, description: OperationDescription): object {
    return {
      operationId: `head${upperFirst(description.id)}`,
      summary: 'As GET, without the body.',
      ...this.#request(path, description),
      responses: { default: { description: 'The status and the headers of GET; 404 where a list has no results.' } },
    };
  }

  #request(path: string, { tag, access, parameters = [] }: OperationDescription): object {
    const where = pathNames(path).filter((name) => places.has(name));
    const all = [...where.map(placeParameter), ...parameters];
    return {
      tags: [tag],
      security: this.#security(access),
      ...(all.length > 0 && { parameters: all.map((parameter) => this.#parameter(parameter)) }),
    };
  }

  components(): object {
    const failures = [...this.#failures].toSorted((one, other) => one - other);
    return {
      schemas: this.#schemas.all(),
      parameters: Object.fromEntries(this.#parameters),
      responses: Object.fromEntries(
        failures.map((status) => [nameOf(status), this.#answer(status, errorSchema, [jsonType])]),
      ),
      securitySchemes: {
        token: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl: '/oauth/token',
              scopes: Object.fromEntries([...this.#scopes].toSorted().map((scope) => [scope, reachOf(scope)])),
            },
          },
        },
        client: { type: 'http', scheme: 'basic', description: 'The id and the secret of an API client.' },
      },
    };
  }

  #security(access: OperationDescription['access']): readonly object[] {
    if (access === 'anyone') return [];
    if (access === 'client') return [{ client: [] }];
    if (access.length === 0) return [{ token: [] }];
    return access.map((scope) => {
      const name = scopeName(scope, { projectKey: '{projectKey}', storeKey: '{storeKey}' });
      this.#scopes.add(name);
      return { token: [name] };
    });
  }

  /** The first parameter of a name is shared by all that are like it. Not each name can be that of a component. */
  #parameter(parameter: Parameter): object {
    const written = { ...parameter, schema: this.#schemas.link(parameter.schema) };
    if (!/^[\w.-]+$/.test(parameter.name)) return written;
    const shared = this.#parameters.get(parameter.name);
    if (shared === undefined) this.#parameters.set(parameter.name, written);
    else if (!isDeepStrictEqual(shared, written)) return written;
    return { $ref: `#/components/parameters/${parameter.name}` };
  }

  #failure(status: number): object {
    this.#failures.add(status);
    return { $ref: `#/components/responses/${nameOf(status)}` };
  }

  #answer(status: number, schema: JsonSchema, mediaTypes: readonly string[]): object {
    return { description: statusLine(status).slice('200 '.length), content: this.#content(mediaTypes, schema) };
  }

  #content(mediaTypes: readonly string[], schema: JsonSchema): object {
    return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: this.#schemas.link(schema) }]));
  }
}

function placeParameter(name: string): Parameter {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function nameOf(status: number): string {
  return `Error${status}`;
}

function reachOf(scope: string): string {
  return scope.endsWith('{storeKey}') ? 'In the store of the path.' : 'In the whole project.';
}
