import { type ClientChoice, createClient, hasProject } from '../administration.ts';
import { isKnownScope } from '../auth/scope-names.ts';
import { isProjectKey } from '../auth/scopes.ts';
import { credentialLines } from '../banner.ts';
import type { Config } from '../config.ts';
import { parseCommand, usageError } from './arguments.ts';
import { withBorrowedDatabase } from './database.ts';

const usage = `Usage: npm run client -- create --project KEY --scope "SCOPE SCOPE" [--name TEXT]
A scope is view_orders:KEY, or view_orders:KEY:STORE for one store. Without --name the client is called API client.`;

/** `client create` makes another API client of a project, with scopes of the operator's choice, and prints it. */
export async function runClientCommand(config: Config, args: readonly string[]): Promise<void> {
  const { project, choice } = parseClientArguments(args);
  await withBorrowedDatabase({ ...config, projectKey: project }, async (connected) => {
    if (!(await hasProject(connected))) throw new Error(`There is no project '${project}'.`);
    const client = await createClient(connected, choice);
    process.stdout.write(`${credentialLines(connected, client).join('\n')}\n`);
  });
}

function parseClientArguments(args: readonly string[]): { project: string; choice: ClientChoice } {
  const options = {
    project: { type: 'string' },
    scope: { type: 'string', multiple: true },
    name: { type: 'string', default: 'API client' },
  } as const;
  const { values, positionals } = parseCommand(args, options, usage);
  const { project, name } = values;
  const scopes = [
    ...new Set((values.scope ?? []).flatMap((text) => text.split(/\s+/)).filter((scope) => scope !== '')),
  ];
  if (positionals.join(' ') !== 'create') throw usageError('The command takes the word create and options.', usage);
  if (project === undefined || scopes.length === 0) throw usageError('--project and --scope are needed.', usage);
  const faults = scopes.flatMap((scope) => scopeFault(scope, project));
  if (!isProjectKey(project)) faults.unshift(`'${project}' is no project key`);
  if (name.trim() === '') faults.push('--name is empty');
  if (faults.length > 0) throw usageError(`The client cannot be created: ${faults.join('; ')}.`, usage);
  return { project, choice: { name, scopes } };
}

function scopeFault(scope: string, project: string): readonly string[] {
  if (!isKnownScope(scope)) return [`there is no scope '${scope}'`];
  return scope.split(':')[1] === project ? [] : [`the scope '${scope}' is of another project than '${project}'`];
}
