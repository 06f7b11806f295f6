import { answer } from '../answer.ts';
import type { Endpoint, EndpointRequest, Engine } from '../resource.ts';
import type { Json } from '../json.ts';

/**
 * What an endpoint answers, as JSON. It may look at who asks, so those with other grants have answers of their own. What
 * is posted is done each time.
 */
export function runEndpoint(engine: Engine, endpoint: Endpoint, request: EndpointRequest): Promise<Json> {
  if (endpoint.method === 'POST') return endpoint.run(engine, request);
  return answer(engine, request, {
    form: endpoint.path,
    isByGrants: true,
    make: (reading) => {
      if (!endpoint.isKept) reading.sources.noteMore();
      return endpoint.run(reading, request);
    },
  });
}
