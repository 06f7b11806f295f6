import { anyFailures } from './description.ts';
import { type Described, openapiDocument } from './openapi.ts';
import { json } from './response.ts';
import type { PlainRoute } from './routes.ts';

/** `GET /openapi.json`: the description of all routes, this one included. It is built when it is first asked for. */
export function openapiRoute(others: Described): PlainRoute {
  const path = '/openapi.json';
  const operations: PlainRoute['operations'] = {
    GET: {
      id: 'getDescription',
      summary: 'Read this document.',
      tag: 'Server',
      access: 'anyone',
      answers: { 200: { type: 'object' } },
      failures: anyFailures,
    },
  };
  let bytes: Buffer | undefined;
  return {
    path,
    operations,
    handle: () => {
      bytes ??= Buffer.from(
        JSON.stringify(openapiDocument({ ...others, plainRoutes: [...others.plainRoutes, { path, operations }] })),
      );
      return json(200, bytes);
    },
  };
}
