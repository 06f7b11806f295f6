import type { Platform } from './platform.ts';

export type Headers = Readonly<Record<string, string>>;

export const ownStore = 'own-store';
const otherStore = 'other-store';

/** What an operation asks for. */
interface Needs {
  readonly projectKey: string;
  readonly needed: readonly string[];
  /** The store that it is for. */
  readonly storeKey: string | undefined;
}

/** The model: who may do what follows from the declared scopes alone. */
export function mayDo({ projectKey, needed, storeKey }: Needs, granted: string): boolean {
  const [name = '', project, grantedStore] = granted.split(':');
  if (project !== projectKey) return false;
  if (name === 'manage_project') return true;
  const names = [name, name.replace(/^manage_/, 'view_')];
  if (grantedStore === undefined) return needed.some((scope) => names.includes(scope.replace(':{storeKey}', '')));
  return grantedStore === storeKey && needed.some((scope) => names.some((held) => scope === `${held}:{storeKey}`));
}

/** Scopes to try an operation with: these, and what is near them. */
export function grantsFor(projectKey: string, scopes: readonly string[]): readonly string[] {
  const listed = scopes.map((scope) => scope.split(':')[0]!);
  const names = new Set(listed.flatMap((name) => [name, name.replace(/^view_/, 'manage_')]));
  return [
    `manage_project:${projectKey}`,
    // What says nothing of the resource, and what sounds as if.
    ...['view_messages', 'manage_subscriptions', 'manage', 'view_', 'project'].map((name) => `${name}:${projectKey}`),
    ...[...names].flatMap((name) => [
      `${name}:${projectKey}`,
      `${name}:${projectKey}:${ownStore}`,
      `${name}:${projectKey}:${otherStore}`,
    ]),
  ];
}

interface Callers {
  /** The headers of a client that holds these scopes, and maybe says whose session it is. */
  headersOf(...scopes: readonly string[]): Promise<Headers>;
  /** Requests that come without a token of the project. */
  readonly strangers: readonly (readonly [name: string, headers: Headers])[];
}

export async function callersOf(platform: Platform): Promise<Callers> {
  const { projectKey } = platform;
  const elsewhere = await platform.anotherProject();
  const tokens = new Map<string, Promise<string>>();
  return {
    headersOf: async (...scopes) => {
      const name = scopes.join(' ');
      let token = tokens.get(name);
      if (token === undefined) tokens.set(name, (token = platform.tokenWith(scopes)));
      return { authorization: `Bearer ${await token}` };
    },
    strangers: [
      ['no token', { authorization: '' }],
      ['no bearer token', { authorization: 'Basic YTpi' }],
      ['an empty token', { authorization: 'Bearer ' }],
      ['a garbage token', { authorization: `Bearer ${'x'.repeat(43)}` }],
      [
        'a token of another project',
        { authorization: `Bearer ${await elsewhere.tokenWith([`manage_project:${elsewhere.projectKey}`])}` },
      ],
      [
        'a scope of this project on a token of another one',
        { authorization: `Bearer ${await elsewhere.tokenWith([`manage_project:${projectKey}`])}` },
      ],
    ],
  };
}
