import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createRegistry } from '../../src/engine/registry.ts';
import { change, set } from '../../src/engine/actions.ts';
import { defineResource } from '../../src/engine/define.ts';
import { optional, required } from '../../src/fields/field.ts';
import { text } from '../../src/fields/scalar.ts';
import { allResources, internalResources } from '../../src/resources/all.ts';
import { project } from '../../src/resources/project/resource.ts';

const root = join(import.meta.dirname, '..', '..', '..');

function sourcesOf(layer: string): readonly (readonly [file: string, text: string])[] {
  return readdirSync(join(root, 'src', layer), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [`${layer}/${file}`, readFileSync(join(root, 'src', layer, file), 'utf8')] as const);
}

t.test('the engine, the protocols, the storage and the consumers name no resource kind', async (t) => {
  // What most tagged objects call their tag is a kind as well.
  const kinds = allResources.map(({ kind }) => kind).filter((kind) => kind !== 'type');
  const allowed: Readonly<Record<string, readonly string[]>> = {
    // Access tokens belong to clients and customers, whom the authorization service therefore knows.
    'auth/credentials.ts': ['api-client'],
    'storage/credentials.ts': ['api-client'],
    'storage/sessions.ts': ['api-client'],
    'storage/tokens.ts': ['api-client'],
    'engine/accounts.ts': ['customer'],
    // A shopper is a customer or an anonymous session.
    'engine/context.ts': ['customer'],
    'engine/access.ts': ['customer'],
    'graphql/schema.ts': ['customer'],
    'auth/scopes.ts': ['customer'],
    'auth/shoppers.ts': ['customer'],
    'auth/token-cache.ts': ['customer'],
    // Each resource tells who made it.
    'engine/operations/write.ts': ['customer'],
    'fields/initiator.ts': ['customer'],
    // Errors call their text so.
    'http/graphql-route.ts': ['message'],
    'http/openapi-errors.ts': ['message'],
    // Suggestions are those of products.
    'search/feeder.ts': ['product'],
    'storage/keyword-source.ts': ['product'],
    'storage/keyword-fillings.ts': ['product'],
  };
  for (const layer of [
    'engine',
    'fields',
    'graphql',
    'http',
    'auth',
    'storage',
    'search',
    'following',
    'retention',
    'notifying',
  ]) {
    for (const [file, source] of sourcesOf(layer)) {
      const named = kinds.filter((kind) => source.includes(`'${kind}'`) && !allowed[file]?.includes(kind));
      t.strictSame(named, [], file);
    }
  }
});

t.test('nothing but a commit of planned writes reaches the store', async (t) => {
  const naming = /(\.|[{,]\s*)writes\b(?!\s*:\s*readonly)/;
  const layers = ['engine', 'fields', 'graphql', 'http', 'auth', 'resources', 'search'];
  const writing = layers.flatMap((layer) =>
    sourcesOf(layer)
      .filter(([, source]) => naming.test(source))
      .map(([file]) => file),
  );
  t.strictSame(writing, ['engine/operations/commit.ts']);
});

t.test('a folder of resources has its declaration in the list', async (t) => {
  const folders = readdirSync(join(root, 'src', 'resources'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const declared = [...allResources, ...internalResources, project.resource].map(({ kind }) => kind);
  t.strictSame(folders.map(({ name }) => name).sort(), declared.sort());
});

t.test('a wrong declaration fails at once and names kind and field', async (t) => {
  const declaration = {
    kind: 'thing',
    typeName: 'Thing',
    path: 'things',
    scopes: { view: [], manage: [] },
    fields: { name: required(text()), note: optional(text()) },
  };
  t.throws(() => defineResource({ ...declaration, actions: { setWing: set('wing') } }), /thing: .* wing/);
  t.throws(() => defineResource({ ...declaration, actions: { setName: set('name') } }), /thing: .* name/);
  t.throws(() => defineResource({ ...declaration, actions: {}, exclusiveFlags: ['note'] }), /thing: .* note/);
  const thing = defineResource({ ...declaration, actions: { changeName: change('name') } });
  t.throws(() => createRegistry([thing, thing], project), /kind thing/);
});
