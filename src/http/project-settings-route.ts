import type { Engine, Resource } from '../engine/resource.ts';
import { projectText, updateProject } from '../engine/operations/project.ts';
import type { RouteOperations } from './description.ts';
import { describeOperation, resourceSchemas } from './openapi-resources.ts';
import { settingsOperations } from './operations.ts';
import { type ProjectRequest, readJson, requireScopes } from './project-request.ts';
import { json } from './response.ts';
import type { ProjectRoute } from './routes.ts';

/** `/{projectKey}`: the settings of the project, and their update actions. */
export function projectSettingsRoute(engine: Engine): ProjectRoute {
  const { resource } = engine.registry.project;
  const scopes = new Map(settingsOperations(resource).map((operation) => [operation.method, operation.scopes]));
  return {
    path: '',
    operations: describeSettings(resource),
    handle: async (request: ProjectRequest) => {
      const { context, method } = request;
      requireScopes(request, scopes.get(method)!);
      if (method !== 'POST') return json(200, projectText(engine, context));
      const { value: update, context: entered } = await readJson(request);
      return json(200, await updateProject(engine, { context: entered, update }));
    },
  };
}

function describeSettings(resource: Resource): RouteOperations {
  const schemas = resourceSchemas(resource);
  const described = settingsOperations(resource).filter(({ method }) => method !== 'HEAD');
  return Object.fromEntries(described.map((operation) => [operation.method, describeOperation(operation, schemas)]));
}
