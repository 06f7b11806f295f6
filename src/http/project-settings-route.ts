import type { Engine } from '../engine/engine.ts';
import { projectText, updateProject } from '../engine/operations/project.ts';
import { type ProjectRequest, requireScopes } from './project-request.ts';
import { parseJson } from './request.ts';
import { json } from './response.ts';
import type { ProjectRoute } from './routes.ts';

/** `/{projectKey}`: the settings of the project, and their update actions. */
export function projectSettingsRoute(engine: Engine): ProjectRoute {
  const { scopes } = engine.registry.project.resource;
  return {
    path: '',
    methods: new Set(['GET', 'POST']),
    handle: async (request: ProjectRequest) => {
      const { context, exchange } = request;
      if (exchange.head.method !== 'POST') {
        requireScopes(request, scopes.view);
        return json(200, projectText(engine, context));
      }
      requireScopes(request, scopes.manage);
      return json(200, await updateProject(engine, { context, update: parseJson(exchange.body) }));
    },
  };
}
