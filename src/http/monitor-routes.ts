import { apiError } from '../errors/api-error.ts';
import { anyFailures } from './description.ts';
import type { Response } from './response.ts';
import type { PlainRoute } from './routes.ts';

/** A resource as its path names it. */
export type Monitored = { readonly id: string } | { readonly key: string };

export interface MonitorOptions {
  /** Of the resources, below a project. */
  readonly path: string;
  /** Their type. */
  readonly typeName: string;
  /** Undefined for one that is not there. */
  read(project: string, monitored: Monitored): Promise<Monitoring | undefined>;
}

export interface Monitoring {
  /** 200 where all is well, 503 for what passes by itself, 400 for what somebody has to see to. */
  readonly httpStatus: 200 | 400 | 503;
  /** As the resource has it. */
  readonly status: string;
}

const body = { title: 'ResourceHealth', type: 'object', properties: { status: { type: 'string' } } };

/** `…/{ID}/health`: how it is with a resource, for monitors, which have no token and look at nothing but the HTTP status. */
export function monitorRoutes({ path, typeName, read }: MonitorOptions): readonly PlainRoute[] {
  const route = (name: string, id: string, of: (value: string) => Monitored): PlainRoute => ({
    path: `/{projectKey}/${path}/${name}/health`,
    operations: {
      GET: {
        id: `get${typeName}Health${id}`,
        summary: 'Learn how it is with the resource, by the HTTP status.',
        tag: typeName,
        access: 'anyone',
        parameters: [{ name: id === 'ById' ? 'ID' : 'key', in: 'path', required: true, schema: { type: 'string' } }],
        answers: { 200: body, 400: body, 503: body },
        failures: [...anyFailures.filter((status) => status !== 400 && status !== 503), 404],
      },
    },
    handle: async (_, { projectKey = '', ID = '', key = '' }): Promise<Response> => {
      const value = id === 'ById' ? ID : key;
      const monitoring = await read(projectKey, of(value));
      if (monitoring === undefined)
        throw apiError('ResourceNotFound', `There is no ${typeName} '${value.slice(0, 200)}'.`);
      return { status: monitoring.httpStatus, body: JSON.stringify({ status: monitoring.status }) };
    },
  });
  return [route('{ID}', 'ById', (id) => ({ id })), route('key={key}', 'ByKey', (key) => ({ key }))];
}
