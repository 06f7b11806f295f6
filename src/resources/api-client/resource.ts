import { defineResource } from '../../engine/define.ts';
import { createClient } from './create.ts';
import { base, draft, fields } from './fields.ts';

const dayMs = 86_400_000;

/** The client of a token request (specification section 5). Only the answer to its creation holds its secret. */
export const apiClient = defineResource({
  kind: 'api-client',
  typeName: 'APIClientWithoutSecret',
  schemaName: 'ApiClient',
  path: 'api-clients',
  followedBy: 'nobody',
  scopes: { view: ['view_api_clients'], manage: ['manage_api_clients'] },
  maxPerProject: 10_000,
  lifecycle: 'fixed',
  keyMembers: [],
  base,
  fields,
  draft,
  create: ({ deleteDaysAfterCreation, ...given }, { now }) => ({
    ...given,
    // 0 days say never.
    ...(deleteDaysAfterCreation !== undefined &&
      deleteDaysAfterCreation > 0 && {
        deleteAt: new Date(Date.parse(now) + deleteDaysAfterCreation * dayMs).toISOString(),
      }),
  }),
  createWith: createClient,
  actions: {},
  graphql: {
    one: 'apiClient',
    many: 'apiClients',
    mutation: 'ApiClient',
    draft: 'CreateApiClient',
    created: { typeName: 'APIClientWithSecret', fields: { secret: 'String!' } },
    interfaces: [],
  },
});
