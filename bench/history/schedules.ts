import type { Pool } from 'undici';
import type { Observation } from './checker.ts';
import type { Discounts } from './discounts.ts';
import { product, standalonePrice, stock } from './goods.ts';
import type { Projections } from './projections.ts';
import { type Answer, type Kind, plainKind, type Requests } from './requests.ts';

/** Rounds in which reads and writes meet. */
const roundsMax = 40;
/** More resources than an answer names that is made from them. */
const manyCount = 505;
const creatingMax = 24;
const goods: readonly Kind[] = [stock, standalonePrice, product];
/** Changes of each product, of which there are several sorts. */
const goodsRounds = 4;
/** One that is not listed, since a list would not hold them, and that nothing follows in the background. */
const manyKind: Kind = {
  ...plainKind('channel', 'channels', ['channel', 'channels'], (name, key) => ({ name: { en: name }, key })),
  rename: (name) => ({ action: 'changeName', name: { en: name } }),
};

/**
 * Requests in an order that shows what random ones find by luck: every read, then a change by one server, then every read
 * of every server again.
 */
export class Schedules {
  readonly #requests: Requests;
  /** Tells every process of more changes than it looks at one by one. */
  readonly #flood: () => Promise<void>;
  readonly #projections: Projections;
  readonly #discounts: Discounts;

  constructor(
    requests: Requests,
    others: {
      readonly flood: () => Promise<void>;
      readonly projections: Projections;
      readonly discounts: Discounts;
    },
  ) {
    this.#requests = requests;
    this.#flood = others.flood;
    this.#projections = others.projections;
    this.#discounts = others.discounts;
  }

  /** Runs one schedule after the other until `isOver`. */
  async run(isOver: () => boolean): Promise<void> {
    // Goods have a schedule of their own, which takes in what shows of them elsewhere.
    const kinds = this.#requests.kinds.filter((kind) => !goods.includes(kind));
    const schedules = [
      () => this.#race(kinds[0]!),
      ...kinds.map((kind) => () => this.#sweep(kind)),
      () => this.#goods(),
      () => this.#credentials(),
      () => this.#project(),
      () => this.#places(),
      ...kinds.map((kind) => () => this.#contend(kind)),
      () => this.#reset(kinds[0]!),
      () => this.#many(),
    ];
    for (const schedule of schedules) if (!isOver()) await schedule();
  }

  async #sweep(kind: Kind): Promise<void> {
    const [before, after] = [`sweep-${kind.kind}-1`, `sweep-${kind.kind}-2`];
    const requests = this.#requests;
    const keys = [before, after];
    const look = (id?: string): Promise<void> => this.#everywhere((server) => this.#look(kind, server, { id, keys }));
    await look();
    await requests.create(kind, before);
    const id = this.#idOf(kind, before);
    await look(id);
    await requests.update(kind, this.#writer, { id, key: before });
    await look(id);
    await requests.update(kind, this.#writer, { id, key: after });
    await look(id);
    await requests.remove(kind, this.#writer, id);
    await look(id);
  }

  async #look(
    kind: Kind,
    server: Pool,
    { id, keys }: { readonly id: string | undefined; readonly keys: readonly string[] },
  ): Promise<void> {
    const requests = this.#requests;
    if (id !== undefined)
      await Promise.all([requests.readById(kind, server, id), requests.graphqlOne(kind, server, { id })]);
    // One after the other, for what one leaves behind another might find.
    for (const key of keys) {
      await requests.readByKey(kind, server, key);
      await Promise.all([requests.graphqlOne(kind, server, { key }), requests.listByKey(kind, server, key)]);
    }
    await Promise.all([
      requests.list(kind, server),
      requests.graphqlList(kind, server, { limit: 500 }),
      requests.readExpanded(server, false),
      requests.readExpanded(server, true),
      requests.graphqlExpanded(server),
    ]);
  }

  /** Projections change with their product, with what they show of others, and with what is made of their prices. */
  async #goods(): Promise<void> {
    const requests = this.#requests;
    const projections = this.#projections;
    await projections.prepare();
    await this.#discounts.prepare();
    // The number of its text says by which prices a product is sold: two in a row differ.
    const keys = ['goods-1', 'goods-2'];
    const look = (key: string): Promise<void> => {
      const id = this.#findId(product, key);
      return this.#everywhere((server) => projections.look(server, { id, key }));
    };
    const each = async (kinds: readonly Kind[], work: (kind: Kind, key: string) => Promise<unknown>): Promise<void> => {
      await Promise.all(kinds.flatMap((kind) => keys.map((key) => work(kind, key))));
      await Promise.all([...keys.map(look), this.#everywhere((server) => projections.lookAtAll(server))]);
    };
    const create = (kind: Kind, key: string): Promise<unknown> => requests.create(kind, key);
    const update = (kind: Kind, key: string): Promise<unknown> =>
      requests.update(kind, this.#writer, { id: this.#idOf(kind, key), key });
    const remove = (kind: Kind, key: string): Promise<unknown> =>
      requests.remove(kind, this.#writer, this.#idOf(kind, key));
    await each([], create);
    await each([product], create);
    // What nobody has is found as soon as somebody makes it, and not found as soon as nobody has it.
    await each([stock, standalonePrice], create);
    await each([stock], update);
    await each([standalonePrice], update);
    await each([stock, standalonePrice], remove);
    for (let round = 0; round < goodsRounds; round += 1) {
      await this.#discounts.step(this.#writer);
      await each([product], update);
      const ids = keys.map((key) => this.#idOf(product, key));
      await this.#everywhere((server) => Promise.all(ids.map((id) => this.#discounts.look(server, id))));
    }
    await each([product], remove);
  }

  /** Tokens end with their revocation and with their client. */
  async #credentials(): Promise<void> {
    const requests = this.#requests;
    const { first } = requests;
    await requests.grant(this.#writer, first);
    const token = first.tokens.at(-1)!;
    const use = (): Promise<void> =>
      this.#everywhere((server) => requests.readProject(server, { client: first, token }));
    await use();
    await requests.revokeToken(this.#writer, token);
    await use();
    await requests.createClient(this.#writer);
    const client = requests.clients.at(-1)!;
    await requests.grant(this.#writer, client);
    const credentials = { client, token: client.tokens[0]! };
    await this.#everywhere((server) => requests.readProject(server, credentials));
    await requests.removeClient(this.#writer, client);
    await this.#everywhere((server) => requests.readProject(server, credentials));
  }

  async #project(): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      await this.#everywhere((server) => this.#requests.readProject(server));
      await this.#requests.updateProject(this.#writer);
    }
    await this.#everywhere((server) => this.#requests.readProject(server));
  }

  /** A method matches a location as long as its zone holds it. */
  async #places(): Promise<void> {
    const base = await this.#requests.baseZone();
    const location = { country: 'IS' };
    const match = (isMatching: boolean): Promise<void> =>
      this.#everywhere(async (server) => {
        // What matching goes by is kept, and this answer made from it.
        await this.#requests.readExpanded(server, true);
        const path = '/shipping-methods/matching-location?country=IS';
        const name = `match ${isMatching ? 'a location' : 'no location'}`;
        return this.#requests.ask({ server, method: 'GET', path, name }, (answer) => matchOf(answer, isMatching));
      });
    await match(false);
    for (let round = 0; round < 2; round += 1) {
      await this.#requests.change(base, this.#writer, { action: 'addLocation', location });
      await match(true);
      await this.#requests.change(base, this.#writer, { action: 'removeLocation', location });
      await match(false);
    }
  }

  /** Of several updates of one version one is made. */
  async #contend(kind: Kind): Promise<void> {
    const { id, key } = await this.#someOf(kind);
    const update = (server: Pool): Promise<boolean> => this.#requests.update(kind, server, { id, key });
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([...this.#servers, ...this.#servers, ...this.#servers].map(update));
      await this.#everywhere((server) => this.#requests.readById(kind, server, id));
    }
  }

  /** Reads go on while writes are made, so that each write meets checks and reads that are under way. */
  async #race(kind: Kind): Promise<void> {
    const { id, key } = await this.#someOf(kind);
    const reading = new AbortController();
    const readers = this.#servers.flatMap((server) =>
      [0, 1, 2].map(async (index) => {
        while (!reading.signal.aborted) {
          if (index === 0) await this.#requests.graphqlOne(kind, server, { id });
          else await this.#requests.readById(kind, server, id);
        }
      }),
    );
    const late: Promise<void>[] = [];
    for (let round = 0; round < roundsMax; round += 1) {
      await this.#requests.update(kind, this.#writer, { id, key });
      const read = this.#everywhere((server) => this.#requests.readById(kind, server, id));
      // Most of them may be under way while the next is written and read.
      if (round % 4 === 0) await read;
      else late.push(read);
    }
    reading.abort();
    await Promise.all([...readers, ...late]);
    await this.#everywhere((server) => this.#requests.readById(kind, server, id));
  }

  async #reset(kind: Kind): Promise<void> {
    const { id, key } = await this.#someOf(kind);
    await this.#everywhere((server) => this.#requests.readById(kind, server, id));
    await this.#flood();
    await this.#requests.update(kind, this.#writer, { id, key });
    await this.#everywhere((server) => this.#requests.readById(kind, server, id));
  }

  /** An answer that is made from many resources changes with each of them. */
  async #many(): Promise<void> {
    const requests = this.#requests;
    const kind = manyKind;
    const keys = Array.from({ length: manyCount }, (_, index) => `many-${index}`);
    for (let start = 0; start < keys.length; start += creatingMax)
      await Promise.all(keys.slice(start, start + creatingMax).map((key) => requests.create(kind, key)));
    const ids = keys.map((key) => this.#idOf(kind, key));
    await requests.refer(this.#writer, kind, ids);
    const look = (): Promise<void> => this.#everywhere((server) => requests.readReferred(server, kind));
    await look();
    await requests.update(kind, this.#writer, { id: ids[0]!, key: keys[0] });
    await look();
  }

  async #everywhere(read: (server: Pool) => Promise<unknown>): Promise<void> {
    await Promise.all(this.#servers.map(read));
  }

  get #servers(): readonly Pool[] {
    return this.#requests.servers;
  }

  get #writer(): Pool {
    return this.#servers[0]!;
  }

  async #someOf(kind: Kind): Promise<{ readonly id: string; readonly key: string | undefined }> {
    const key = `some-${kind.kind}`;
    if (this.#requests.handles(kind).size === 0) await this.#requests.create(kind, key);
    const [found] = this.#requests.handles(kind);
    if (found === undefined) throw new Error(`${kind.kind} ${key} was not made.`);
    return { id: found[0], key: found[1].key };
  }

  #idOf(kind: Kind, wanted: string): string {
    const found = this.#findId(kind, wanted);
    if (found === undefined) throw new Error(`${kind.kind} ${wanted} was not made.`);
    return found;
  }

  #findId(kind: Kind, wanted: string): string | undefined {
    return [...this.#requests.handles(kind)].find(([, { key }]) => key === wanted)?.[0];
  }
}

function matchOf({ status, body }: Answer, isMatching: boolean): readonly Observation[] {
  // A page of the API.
  const { results = [] } = body as { results?: readonly unknown[] };
  if (status !== 200 || results.length > 0 === isMatching) return [];
  return [{ is: 'wrong', message: `${results.length} methods match, but ${isMatching ? 'some' : 'none'} should` }];
}
