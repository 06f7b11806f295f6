import { createIntrospector, introspecting } from '../src/graphql/introspect.ts';
import { servingOn } from '../src/threads/protocol.ts';

export const run = servingOn(introspecting, { keptMax: 1, make: createIntrospector }, (introspect, request) =>
  introspect(request),
);
