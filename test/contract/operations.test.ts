import t from 'tap';
import { operationsOf, settingsOperations } from '../../src/http/operations.ts';
import { allResources } from '../../src/resources/all.ts';
import { project } from '../../src/resources/project/resource.ts';
import { erasingOperations, publicOperations } from './operations.ts';

/** Paths of the public API that this version does not have. One that gets built has to leave this list. */
const missingPaths: ReadonlySet<string> = new Set([
  // Customers are found by predicates alone.
  '/{projectKey}/customers/search',
  '/{projectKey}/customers/search/indexing-status',
]);

const matchingInStore = '/{projectKey}/in-store/key={storeKey}/shipping-methods/matching-cart';

/** Scopes that only the public API's description lists. */
const missingScopes: ReadonlyMap<string, string> = new Map([
  // decisions.md #85: the specification goes without.
  [`GET ${matchingInStore}`, 'manage_customers:{storeKey}'],
  [`HEAD ${matchingInStore}`, 'manage_customers:{storeKey}'],
]);

/** Scopes that the public API's description does not list: HEAD is a GET without the body. */
const addedScopes: ReadonlyMap<string, string> = new Map([['HEAD /{projectKey}/products', 'view_published_products']]);

/**
 * Deletions that the public API lets erase personal data, in stores and not beside them. Shoppers who delete what is theirs
 * have no choice here, as on all of their paths; the parameter is ignored.
 */
const erasingAnyway: ReadonlySet<string> = new Set(
  ['key={key}', '{ID}'].map((name) => `DELETE /{projectKey}/in-store/key={storeKey}/me/shopping-lists/${name}`),
);

const declared = new Map(
  [...settingsOperations(project.resource), ...allResources.flatMap(operationsOf)].map(({ method, path, scopes }) => [
    `${method} ${path}`,
    scopes,
  ]),
);

t.test('the declarations give every operation of the public API but those that are listed as missing', async (t) => {
  const pathOf = (name: string): string => name.slice(name.indexOf(' ') + 1);
  const lacking = Object.keys(publicOperations).filter((name) => !declared.has(name));
  t.strictSame(
    lacking.filter((name) => !missingPaths.has(pathOf(name))),
    [],
    'nothing else is missing',
  );
  t.strictSame([...missingPaths].sort(), [...new Set(lacking.map(pathOf))].sort(), 'and no longer list is kept');
});

t.test('the declarations give nothing that the public API does not have but more HEADs', async (t) => {
  // A resource whose operations are not listed yet has no facts to be held to.
  const known = new Set(Object.keys(publicOperations).map((name) => name.split('/')[2]));
  const added = [...declared.keys()].filter((name) => {
    const isKnown = known.has(name.split('/')[2]);
    return isKnown && !(name in publicOperations) && !(name.replace('HEAD', 'GET') in publicOperations);
  });
  t.strictSame(added, []);
});

t.test('each operation needs the scopes that the public API asks for', async (t) => {
  for (const [name, text] of Object.entries(publicOperations)) {
    const scopes = declared.get(name);
    if (scopes === undefined) continue;
    t.strictSame(
      scopes.filter((scope) => scope !== addedScopes.get(name)).toSorted(),
      text.split(' ').filter((scope) => scope !== missingScopes.get(name)),
      name,
    );
  }
});

t.test('deletions erase personal data where the public API says so', async (t) => {
  const deletions = allResources.flatMap(operationsOf).filter(({ method }) => method === 'DELETE');
  for (const { path, resource } of deletions) {
    const name = `DELETE ${path}`;
    const isErasing = erasingOperations.has(name) && !erasingAnyway.has(name);
    if (name in publicOperations) t.equal(resource.holdsPersonalData, isErasing, name);
  }
});
