/**
 * Changes of the built platform that its servers are run with: delays that make moments long, and mistakes that the
 * checker must find.
 */
import type { Patch } from '../patching/patch.ts';

const delayed = (ms: string): string => `await new Promise((resolve) => setTimeout(resolve, ${ms}));`;

/** What a check has seen is heard late, and so is what was read: in between others write. */
export const delays = {
  'late checks': {
    file: 'storage/change-log.js',
    changes: [
      [
        'return await lane.run(statement, Math.min(timeoutMs, lateAtMs - performance.now()));',
        `const seen = await lane.run(statement, Math.min(timeoutMs, lateAtMs - performance.now())); ${delayed('15')} return seen;`,
      ],
    ],
  },
  'late reads': {
    file: 'storage/batched-reads.js',
    changes: [
      [
        'return new Map(rows.map((stored) =>',
        `${delayed('Math.random() < 0.2 ? 60 : 0')} return new Map(rows.map((stored) =>`,
      ],
    ],
  },
} as const satisfies Readonly<Record<string, Patch>>;

export const mistakes = {
  'a request joins the check that is in flight': {
    file: 'storage/change-log.js',
    changes: [
      ['if (inFlight === undefined)', 'if (inFlight !== undefined) return inFlight; if (inFlight === undefined)'],
    ],
  },
  'no check is made': {
    file: 'storage/change-log.js',
    changes: [['if (next !== undefined)', 'if (checks > 0) return Promise.resolve(); if (next !== undefined)']],
  },
  'a key that nobody has is not noted': {
    file: 'engine/answer.js',
    changes: [
      ['sources.note(kind, found[index]?.id ?? id);', 'if (found[index]) sources.note(kind, found[index].id);'],
    ],
  },
  'a collection is not noted': {
    file: 'engine/collection.js',
    changes: [['engine.sources.note(kind);', ';']],
  },
  'a read by key gives what another key led to': {
    file: 'engine/answer.js',
    changes: [
      [
        'JSON.stringify(asked, listed)',
        "JSON.stringify({ ...asked, identity: 'key' in (asked.identity ?? {}) ? 'key' : asked.identity }, listed)",
      ],
    ],
  },
  'matching goes by older zones': {
    file: 'engine/collection.js',
    changes: [['dependencies: kinds.map(', "dependencies: kinds.filter((kind) => kind !== 'zone').map("]],
  },
  'an answer made from many resources depends on none': {
    file: 'engine/coherence.js',
    changes: [['this.#noted = new Set([...this.#noted].map(onKind));', 'this.#noted = new Set();']],
  },
  'one kind is not evicted': {
    file: 'engine/coherence.js',
    changes: [
      [
        'for (const { project, kind, id } of changes) {',
        "for (const { project, kind, id } of changes) { if (kind === 'customer-group') continue;",
      ],
    ],
  },
  'lists are not evicted': {
    file: 'engine/coherence.js',
    changes: [
      [
        'of [dependencyOn({ project, kind, id }), dependencyOn({ project, kind })])',
        'of [dependencyOn({ project, kind, id })])',
      ],
    ],
  },
  'what was made before a change is kept': {
    file: 'engine/coherence.js',
    changes: [['&& !dependencies.some(hasChanged)', '']],
  },
  'a value that was begun before a change is shared after it': {
    file: 'engine/coherence.js',
    changes: [['isSame || running.asOf === asOf', 'true']],
  },
  'totals are not evicted': {
    file: 'engine/kept-store.js',
    changes: [['dependencies: [dependencyOn({ project, kind })]', 'dependencies: []']],
  },
  'the documents of pages are not evicted, nor compared with the order': {
    file: 'engine/kept-store.js',
    changes: [
      ["?? 'gone', dependencies: [name] }", "?? 'gone', dependencies: [] }"],
      ["one !== 'gone' && one.version === versions[index].version", "one !== 'gone'"],
    ],
  },
  'a reset is ignored': {
    file: 'engine/coherence.js',
    changes: [['this.#entries.clear();', ';']],
  },
  'a token is not evicted': {
    file: 'auth/token-cache.js',
    changes: [["dependencyOn({ project, kind: tokenKind, id: hash.toString('hex') }),", '']],
  },
  'the project is not evicted': {
    file: 'engine/projects.js',
    changes: [['dependencies: [dependencyOn({ project: key, kind: projectKind, id: key })]', 'dependencies: []']],
  },
  'excerpts are not evicted': {
    file: 'graphql/excerpts.js',
    changes: [['return { value: excerpt, dependencies, until }', 'return { value: excerpt, dependencies: [], until }']],
  },
  'a write leaves no row in the change log': {
    file: 'storage/write-statements.js',
    changes: [
      [
        '(insert into change_log (project, kind, id, version) ${changed})',
        '(insert into change_log (project, kind, id, version) select * from (${changed}) as given where false)',
      ],
    ],
  },
  'of several writes that belong together one is left out': {
    file: 'engine/operations/commit.js',
    changes: [
      [
        'engine.writes.commit(context.project.key, writes)',
        'engine.writes.commit(context.project.key, writes.slice(0, Math.max(1, writes.length - 1)))',
      ],
    ],
  },
  'a group is not noted': {
    file: 'engine/answer.js',
    changes: [['noteGroups(sources, lookup);', ';']],
  },
  'the stocks of projections are not noted': {
    file: 'engine/answer.js',
    changes: [['noteGroups(sources, lookup);', "if (lookup.kind !== 'inventory-entry') noteGroups(sources, lookup);"]],
  },
  'the stocks of products are not noted': {
    file: 'engine/kept-groups.js',
    changes: [['engine.sources.note(groups, id);', ';']],
  },
  'the stocks of products are kept for good': {
    file: 'engine/kept-groups.js',
    changes: [['until: Infinity } }, dependencies }', 'until: Infinity } }, dependencies: [] }']],
  },
  'a write leaves no word of the groups that its resource is in': {
    file: 'storage/write-statements.js',
    changes: [['const grouped = groups.map(({ name, id, of }) => `${row(id, name)} ${of}`);', 'const grouped = [];']],
  },
  'a projection has prices of the other half': {
    file: 'resources/product/projection.js',
    changes: [
      [
        'const data = masterData[sideOf(shownBy)];',
        'const data = { ...masterData[sideOf(shownBy)], masterVariant: masterData.staged.masterVariant };',
      ],
    ],
  },
  'projections show what is not published': {
    file: 'resources/product/projection.js',
    changes: [
      ["where: ({ staged }) => (staged ? undefined : 'masterData(published=true)')", 'where: () => undefined'],
      ['if (!published && !shownBy.staged)', 'if (false)'],
    ],
  },
  'who sees what is published alone gets the answers of others': {
    file: 'engine/answer.js',
    changes: [['${limitsName(engine, context)}', '']],
  },
  'prices are discounted by older discounts': {
    file: 'engine/collection.js',
    changes: [['dependencies: kinds.map(', "dependencies: kinds.filter((kind) => kind !== 'product-discount').map("]],
  },
  'a write does not compare versions': {
    file: 'storage/write-statements.js',
    changes: [[' and documents.version = given.expected${afterLocks}\n  returning', '${afterLocks}\n  returning']],
  },
} as const satisfies Readonly<Record<string, Patch>>;

export type Delay = keyof typeof delays;
export type Mistake = keyof typeof mistakes;
export type PatchName = Delay | Mistake;

export const patches: Readonly<Record<PatchName, Patch>> = { ...delays, ...mistakes };
