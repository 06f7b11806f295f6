/**
 * Keeps the documents of product search:
 *
 *   outbox ──▶ search_dirty (+ search_facts) ──▶ search_documents
 *
 * A change marks the products that it reaches; then some of what is marked is read, made into documents, and written with
 * the marks taken away. Both are steps under the lease of the project, one after the other, so what changes after a product
 * was read marks it again after it was written. A step is one statement, which does nothing where another came before it.
 */
import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors/api-error.ts';
import { kindOfGroup } from '../engine/groups.ts';
import type { Document } from '../engine/document.ts';
import { documentOf } from '../engine/json.ts';
import type { FactKey, Facts, MakeDocument, Searched } from '../engine/searched.ts';
import type { Lease, QueuedChange, Topic } from '../outbox/outbox.ts';
import { type Consumer, LeftToOthers } from '../outbox/taker.ts';
import type { DocumentSource, DocumentsState, Fact, Indexed, MarkedProduct } from './document-source.ts';

export interface DocumentFeederOptions {
  readonly source: DocumentSource;
  readonly searched: Searched;
  readonly log: { warn(details: object, message: string): void };
  /** Of the text of a document: what is larger is set aside. */
  readonly documentLengthMax?: number;
}

const topicName = 'search';
const documentLengthMaxDefault = 4 * 1024 * 1024;
/** Projects whose facts are kept in memory. */
const keptMax = 100;
/** Of the reason for which a product is set aside. */
const errorLengthMax = 1000;

export function searchTopic({ kind, groups, factMembers }: Omit<Searched, 'gather'>): Topic {
  return { name: topicName, kinds: [kind, ...groups, ...Object.keys(factMembers)] };
}

export function createDocumentFeeder(options: DocumentFeederOptions): Consumer {
  const { source } = options;
  const { documentVersion } = options.searched;
  const feed = new DocumentFeed(options);
  return {
    topic: topicName,
    consume: async (lease, changes) => {
      const state = await stateOf(lease);
      // All is marked when a search is switched on, and begun anew when it was off meanwhile.
      if (state?.isStarted !== true) return;
      await (state.isOn ? feed.mark(lease, state, changes) : source.clear(lease, state.step));
    },
    further: {
      due: () => source.due(documentVersion),
      work: async (lease) => {
        const state = await stateOf(lease);
        return state !== undefined && feed.work(lease, state);
      },
    },
  };

  /** While platforms of two versions run, the newer one alone makes documents of what it has begun. */
  async function stateOf({ project }: Lease): Promise<DocumentsState | undefined> {
    const state = await source.state(project);
    if (state !== undefined && state.documentVersion > documentVersion)
      throw new LeftToOthers(
        'A newer version of the platform makes the documents; search:rebuild gives them to this one',
      );
    return state;
  }
}

class DocumentFeed {
  readonly #options: DocumentFeederOptions;
  readonly #source: DocumentSource;
  readonly #searched: Searched;
  /** As of a step. */
  readonly #facts = new LRUCache<string, { readonly step: number; readonly facts: Facts }>({ max: keptMax });

  constructor(options: DocumentFeederOptions) {
    this.#options = options;
    this.#source = options.source;
    this.#searched = options.searched;
  }

  async mark(lease: Lease, state: DocumentsState, changes: readonly QueuedChange[]): Promise<void> {
    const { factMembers, kind: own, reachOf } = this.#searched;
    const idsOf = (isMeant: (kind: string) => boolean): readonly string[] => [
      ...new Set(changes.flatMap(({ kind, id }) => (isMeant(kind) ? [id] : []))),
    ];
    const before = await this.#factsOf(lease.project, state);
    const set: Fact[] = [];
    const gone: FactKey[] = [];
    for (const [kind, members] of Object.entries(factMembers)) {
      const ids = idsOf((changed) => changed === kind);
      if (ids.length === 0) continue;
      const found = new Map(
        (await this.#source.factSources(lease.project, kind, { members, ids })).map(({ id, document }) => [
          id,
          document,
        ]),
      );
      const known = before.get(kind);
      for (const id of ids) {
        if (!found.has(id)) {
          if (known?.has(id)) gone.push({ kind, id });
          continue;
        }
        const fact = this.#searched.factOf(kind, found.get(id));
        if (!isDeepStrictEqual(fact, known?.get(id))) set.push({ kind, id, fact });
      }
    }
    const changed = [...set, ...gone];
    const after = changed.length === 0 ? before : changedFacts(before, set, gone);
    await this.#source.mark(lease, state.step, {
      ...reachOf(before, after, changed),
      products: idsOf((kind) => kind === own),
      groups: idsOf((kind) => kindOfGroup(kind) !== kind),
      facts: { set, gone },
    });
    if (changed.length > 0) this.#facts.set(lease.project, { step: state.step + 1, facts: after });
  }

  /** One step; tells whether there was anything to do. */
  async work(lease: Lease, state: DocumentsState): Promise<boolean> {
    const { project } = lease;
    const { step } = state;
    if (!state.isOn) {
      if (state.isStarted || state.hasAny) await this.#source.clear(lease, step);
      return state.isStarted || state.hasAny;
    }
    const { documentVersion } = this.#searched;
    if (!state.isStarted || state.documentVersion < documentVersion) {
      const facts = await this.#allFacts(project);
      await this.#source.start(lease, step, { documentVersion, facts });
      return true;
    }
    const marked = await this.#source.marked(project);
    if (marked.length > 0) {
      await this.#source.write(lease, step, await this.#indexed(project, marked, await this.#factsOf(project, state)));
      return true;
    }
    if (!state.isFilled) await this.#source.finish(lease, step);
    else if (state.isReady) await this.#source.activate(project);
    return !state.isFilled || state.isReady;
  }

  async #factsOf(project: string, { factsStep }: DocumentsState): Promise<Facts> {
    const kept = this.#facts.get(project);
    if (kept?.step === factsStep) return kept.facts;
    const facts = changedFacts(new Map(), await this.#source.facts(project), []);
    this.#facts.set(project, { step: factsStep, facts });
    return facts;
  }

  async #allFacts(project: string): Promise<readonly Fact[]> {
    const facts: Fact[] = [];
    for (const [kind, members] of Object.entries(this.#searched.factMembers)) {
      let after: string | undefined;
      for (;;) {
        const page = await this.#source.factSources(project, kind, { members, after });
        if (page.length === 0) break;
        for (const { id, document } of page) facts.push({ kind, id, fact: this.#searched.factOf(kind, document) });
        after = page.at(-1)!.id;
      }
    }
    return facts;
  }

  async #indexed(project: string, marked: readonly MarkedProduct[], facts: Facts): Promise<readonly Indexed[]> {
    const products = marked.flatMap(({ json }) => (json === undefined ? [] : [documentOf(json)]));
    const gone = marked.flatMap(({ id, json }) => (json === undefined ? [{ id, outcome: 'gone' } as const] : []));
    return [...gone, ...(await this.#made(project, products, facts))];
  }

  /** Where what is beside them is too much for all together, the products are halved until those that have it stand alone. */
  async #made(project: string, products: readonly Document[], facts: Facts): Promise<readonly Indexed[]> {
    if (products.length === 0) return [];
    try {
      const make = await this.#searched.gather(project, products, facts);
      return products.map((product) => this.#indexedOne(project, product, make));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'InvalidInput') throw error;
      if (products.length === 1) return [this.#aside(project, products[0]!, error)];
      const middle = Math.ceil(products.length / 2);
      return [
        ...(await this.#made(project, products.slice(0, middle), facts)),
        ...(await this.#made(project, products.slice(middle), facts)),
      ];
    }
  }

  #indexedOne(project: string, product: Document, make: MakeDocument): Indexed {
    try {
      const document = JSON.stringify(make(product));
      const { documentLengthMax = documentLengthMaxDefault } = this.#options;
      if (document.length > documentLengthMax)
        throw new Error(`Its document has ${document.length} characters, and may have ${documentLengthMax}`);
      return { id: product.id, outcome: 'made', sources: this.#searched.sourcesOf(product), document };
    } catch (error) {
      return this.#aside(project, product, error);
    }
  }

  #aside(project: string, product: Document, error: unknown): Indexed {
    const { id } = product;
    this.#options.log.warn({ err: error, project, product: id }, 'a product cannot be searched');
    const sources = this.#searched.sourcesOf(product);
    return { id, outcome: 'aside', sources, error: String(error).slice(0, errorLengthMax) };
  }
}

function changedFacts(before: Facts, set: readonly Fact[], gone: readonly FactKey[]): Facts {
  const after = new Map([...before].map(([kind, facts]) => [kind, new Map(facts)]));
  for (const { kind, id, fact } of set) {
    const ofKind = after.get(kind) ?? new Map<string, unknown>();
    after.set(kind, ofKind.set(id, fact));
  }
  for (const { kind, id } of gone) after.get(kind)?.delete(id);
  return after;
}
