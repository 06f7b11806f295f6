import { Pool } from 'undici';
import { Random } from '../../src/demo/random.ts';
import type { Attempt, Content, HistoryEvent, Observation, Present } from './checker.ts';
import type { Cluster } from './cluster.ts';

/** A kind of resources as the workload reads and writes it. */
export interface Kind {
  readonly kind: string;
  readonly path: string;
  /** GraphQL queries for one and for many. */
  readonly one: string;
  readonly many: string;
  draft(name: string, key: string): Record<string, unknown>;
  /** The update action that gives another name; by default `changeName`. */
  rename?(name: string): object;
  /** What a GraphQL query asks for; by default members of the same names. */
  readonly selection?: string;
  /** Whether the key stays as it was created. */
  readonly hasFixedKey?: boolean;
  /** Where it is created; by default its path. */
  readonly createPath?: string;
  /** What keys are called in representations and arguments, and in paths; by default `key`. */
  readonly keyMember?: string;
  readonly keyPath?: string;
  /** What a representation holds; by default its name and its key. */
  contentOf?(found: Record<string, unknown>): Content;
  /** What it holds when it is created. */
  created?(text: string, key: string): Content;
  /** A change of what was found, in place of another name. */
  change?(
    found: Record<string, unknown>,
    to: { readonly text: string; readonly key: string | undefined; readonly random: Random },
  ): { readonly actions: readonly object[]; readonly content: Content };
}

/** As representations have it, localized ones in one locale. */
type Name = string | Readonly<Record<string, string>>;

interface Handle {
  readonly version: number;
  readonly key: string | undefined;
  readonly found: Record<string, unknown>;
}

/** An API client, which the checker sees as a resource: its tokens are taken as long as it is there. */
export interface Client {
  readonly id: string;
  readonly secret: string;
  readonly tokens: string[];
}

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** What a request is sent with. */
export interface Credentials {
  readonly client: Client;
  readonly token: string;
}

export interface Counts {
  /** Operations with an answer that says what happened. */
  answered: number;
  /** Operations whose answer did not come, or was a fault of the server. */
  unanswered: number;
  writes: number;
}

export interface RequestsOptions {
  readonly cluster: Pick<Cluster, 'baseUrls' | 'projectKey' | 'client'>;
  readonly seed: number;
  /** Clients that work at a time, each with one operation after the other. */
  readonly clients: number;
  /** Hears of beginnings and ends; `name` says in words what the operation does. */
  record(event: HistoryEvent, name: string): void;
  /** Called after each operation. */
  progressed(counts: Counts): void;
}

const clientKind = 'api-client';
/** Tokens of the first client, which is never deleted, are resources to the checker as well: each ends by itself. */
const tokenKind = 'access-token';
const projectKind = 'project';
/** The feeder says in the project when a search has become ready, and has products and prices follow discounts. */
export const risingKinds: ReadonlySet<string> = new Set([projectKind, 'product', 'standalone-price']);
const keysPerKind = 12;
/** Key of the resources that others refer to, and that therefore stay. */
export const baseKey = 'base';
const tokensPerClient = 4;
/** Deleted resources and clients of each kind, and revoked tokens, that are still asked for or used. */
const goneMax = 8;
const timeoutMs = 30_000;
const plainSelection = '{ id version name key }';
const locale = 'en';

/** Requests of clients to several servers, and what their answers say of the state at their time. */
export class Requests {
  readonly #options: RequestsOptions;
  readonly #random: Random;
  readonly servers: readonly Pool[];
  readonly kinds: Kind[] = [];
  readonly #live = new Map<string, Map<string, Handle>>();
  readonly #gone = new Map<string, string[]>();
  readonly clients: Client[] = [];
  readonly goneClients: Client[] = [];
  readonly #revoked: string[] = [];
  readonly first: Client;
  readonly counts: Counts = { answered: 0, unanswered: 0, writes: 0 };
  /** Whether requests are sent with any credentials, also with those that have ended. */
  isRandom = false;
  #operations = 0;
  #texts = 0;

  constructor(options: RequestsOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.servers = options.cluster.baseUrls.map((url) => new Pool(url, { connections: options.clients }));
    const { clientId, clientSecret } = options.cluster.client;
    this.first = { id: clientId, secret: clientSecret, tokens: [] };
  }

  /** Asks every server for everything. */
  async readAll(): Promise<void> {
    for (const server of this.servers) {
      await this.readProject(server);
      for (const kind of this.kinds) {
        await this.list(kind, server);
        await this.graphqlList(kind, server);
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.destroy()));
  }

  /** What is there before the first request, and the resources that others refer to and that therefore stay. */
  async prepare(others: readonly Kind[]): Promise<void> {
    const { projectKey } = this.#options.cluster;
    this.#given(clientKind, this.first.id, undefined);
    this.#given(projectKind, projectKey, { text: projectKey });
    this.#live.set(projectKind, new Map([[projectKey, { version: 1, key: undefined, found: {} }]]));
    const answer = await this.grant(this.servers[0]!, this.first);
    if (answer?.status !== 200) throw new Error('The first client got no token.');
    const zone: Kind = plainKind('zone', 'zones', ['zone', 'zones'], (name, key) => ({ name, key }));
    const tax: Kind = plainKind('tax-category', 'tax-categories', ['taxCategory', 'taxCategories'], (name, key) => ({
      name,
      key,
      rates: [],
    }));
    const group = plainKind('customer-group', 'customer-groups', ['customerGroup', 'customerGroups'], (name, key) => ({
      groupName: name,
      key,
    }));
    this.kinds.push(zone, tax, group);
    await this.create(zone, baseKey, { locations: [{ country: 'DE' }] });
    await this.create(tax, baseKey);
    const [zoneId] = [...this.handles(zone).keys()];
    const [taxId] = [...this.handles(tax).keys()];
    const rate = { price: { currencyCode: 'EUR', centAmount: 100 } };
    this.kinds.push(
      plainKind('shipping-method', 'shipping-methods', ['shippingMethod', 'shippingMethods'], (name, key) => ({
        name,
        key,
        taxCategory: { typeId: 'tax-category', id: taxId },
        zoneRates: [{ zone: { typeId: 'zone', id: zoneId }, shippingRates: [rate] }],
        isDefault: false,
      })),
      {
        ...plainKind('store', 'stores', ['store', 'stores'], (name, key) => ({ name: { [locale]: name }, key })),
        rename: (name) => ({ action: 'setName', name: { [locale]: name } }),
        selection: `{ id version name(locale: "${locale}") key }`,
        hasFixedKey: true,
      },
      ...others,
    );
  }

  /** Tells the checker of something that was there before. */
  #given(kind: string, id: string, content: Content | undefined): void {
    const operation = (this.#operations += 1);
    const attempt = { kind, id: undefined, expected: 0, content: content ?? { text: id } };
    this.#options.record({ phase: 'begin', operation, attempt }, 'given');
    const observations: Present[] = [{ is: 'present', kind, id, version: 1, content }];
    this.#options.record({ phase: 'end', operation, outcome: 'done', observations }, 'given');
  }

  // ----- reads

  readProject(server: Pool, credentials = this.#someCredentials()): Promise<boolean> {
    return this.ask({ server, method: 'GET', path: '', name: 'read the project', credentials }, ({ status, body }) =>
      status === 200 ? [this.#projectOf(body)] : [],
    );
  }

  readById({ kind, path }: Kind, server: Pool, id = this.#anyId(kind)): Promise<boolean> {
    return this.ask({ server, method: 'GET', path: `/${path}/${id}`, name: `read ${kind} ${id}` }, (answer) =>
      this.#oneOf(answer, { kind, id }),
    );
  }

  readByKey({ kind, path, keyPath = 'key' }: Kind, server: Pool, key = this.newKey()): Promise<boolean> {
    return this.ask(
      { server, method: 'GET', path: `/${path}/${keyPath}=${key}`, name: `read ${kind} ${key}` },
      (answer) => this.#oneOf(answer, { kind, key }),
    );
  }

  list({ kind, path }: Kind, server: Pool): Promise<boolean> {
    return this.ask({ server, method: 'GET', path: `/${path}?limit=500`, name: `list ${path}` }, (answer) =>
      this.#listOf(answer, kind),
    );
  }

  listByKey({ kind, path, keyMember = 'key' }: Kind, server: Pool, key = this.newKey()): Promise<boolean> {
    const query = new URLSearchParams({ where: `${keyMember} = "${key}"`, withTotal: 'false' });
    return this.ask(
      { server, method: 'GET', path: `/${path}?${query.toString()}`, name: `query ${path} ${key}` },
      (answer) => {
        if (answer.status !== 200) return [];
        const [found] = resultsOf(answer.body);
        return found === undefined ? [{ is: 'free', kind, key }] : [{ ...this.presentOf(kind, found), askedKey: key }];
      },
    );
  }

  /** Shipping methods, with the zone and the tax category that they refer to put into them, or as they match. */
  readExpanded(server: Pool, isMatching = this.#random.chance(0.5)): Promise<boolean> {
    const path = isMatching ? '/shipping-methods/matching-location?country=DE' : '/shipping-methods?limit=500';
    const expand = 'expand=zoneRates[*].zone&expand=taxCategory';
    return this.ask({ server, method: 'GET', path: `${path}&${expand}`, name: `read ${path}, expanded` }, (answer) => {
      const expanded = resultsOf(answer.body).flatMap((method) => {
        // The shape of a shipping method.
        const { taxCategory, zoneRates } = method as {
          taxCategory: { obj: Record<string, unknown> };
          zoneRates: readonly { zone: { obj: Record<string, unknown> } }[];
        };
        const zones = zoneRates.map(({ zone }) => this.presentOf('zone', zone.obj));
        return [this.presentOf('tax-category', taxCategory.obj), ...zones];
      });
      return [...this.#listOf(answer, 'shipping-method'), ...expanded];
    });
  }

  graphqlList(
    { kind, many, selection = plainSelection }: Kind,
    server: Pool,
    variables = this.#anyLimit(),
  ): Promise<boolean> {
    const query = `query ($limit: Int) { ${many}(limit: $limit) { total results ${selection} } }`;
    return this.#graphql({ server, query, variables, name: `GraphQL ${many}` }, (data) => {
      // The shape that the query asks for.
      const { results, total } = data[many] as { results: readonly Record<string, unknown>[]; total: number };
      return [{ is: 'list', kind, items: results.map((found) => this.presentOf(kind, found)), total }];
    });
  }

  /** Shipping methods with what they refer to. */
  graphqlExpanded(server: Pool): Promise<boolean> {
    const expanded = `taxCategory ${plainSelection} zoneRates { zone ${plainSelection} }`;
    const query = `query ($limit: Int) { shippingMethods(limit: $limit) { results { id version name key ${expanded} } } }`;
    const name = 'GraphQL shippingMethods, expanded';
    return this.#graphql({ server, query, variables: this.#anyLimit(), name }, (data) => {
      // The shape that the query asks for.
      const { results } = data['shippingMethods'] as {
        results: readonly (Record<string, unknown> & {
          taxCategory: Record<string, unknown>;
          zoneRates: readonly { zone: Record<string, unknown> }[];
        })[];
      };
      const items = results.map((found) => this.presentOf('shipping-method', found));
      const targets = results.flatMap(({ taxCategory, zoneRates }) => [
        this.presentOf('tax-category', taxCategory),
        ...zoneRates.map(({ zone }) => this.presentOf('zone', zone)),
      ]);
      return [{ is: 'list', kind: 'shipping-method', items, total: undefined }, ...targets];
    });
  }

  /** Of one that is there, was there or may be. */
  anyName(kind: string): { readonly id: string } | { readonly key: string } {
    return this.#random.chance(0.5) ? { id: this.#anyId(kind) } : { key: this.newKey() };
  }

  /** All resources of a kind, by a query that few other requests have made: their parts are kept, and their answers hardly. */
  #anyLimit(): { limit: number } {
    return { limit: this.#random.integer(100, 500) };
  }

  graphqlOne(
    { kind, one, keyMember = 'key', selection = plainSelection }: Kind,
    server: Pool,
    named = this.anyName(kind),
  ): Promise<boolean> {
    const isById = 'id' in named;
    const wanted = { kind, ...named };
    const query = isById
      ? `query ($id: String) { ${one}(id: $id) ${selection} }`
      : `query ($key: String) { ${one}(${keyMember}: $key) ${selection} }`;
    return this.#graphql({ server, query, variables: wanted, name: `GraphQL ${one}` }, (data) => {
      const found = data[one] as Record<string, unknown> | null;
      if (found === null) return [noneOf(wanted)];
      return [{ ...this.presentOf(kind, found), ...('key' in named && { askedKey: named.key }) }];
    });
  }

  #graphql(
    asked: { server: Pool; query: string; variables: Record<string, unknown>; name: string },
    read: (data: Record<string, unknown>) => readonly Observation[],
  ): Promise<boolean> {
    const { server, query, variables, name } = asked;
    const body = { query, variables };
    return this.ask({ server, method: 'POST', path: '/graphql', body, name }, (answer) => {
      const data = answer.body['data'];
      const isWhole = answer.status === 200 && answer.body['errors'] === undefined;
      return isWhole ? read(data as Record<string, unknown>) : [];
    });
  }

  // ----- writes

  create(kind: Kind, key: string, others: Record<string, unknown> = {}): Promise<boolean> {
    const text = this.#newText();
    const content = kind.created?.(text, key) ?? { text, key };
    const attempt = { kind: kind.kind, id: undefined, expected: 0, content };
    const body = { ...kind.draft(text, key), ...others };
    const server = this.#random.pick(this.servers);
    const name = `create ${kind.kind} ${key}`;
    const path = `/${kind.createPath ?? kind.path}`;
    return this.ask({ server, method: 'POST', path, body, attempt, name }, ({ status, body: made }) =>
      status === 201 ? [this.presentOf(kind.kind, made)] : [],
    );
  }

  /** Gives a new name, and at times a new key. */
  updateAny(kind: Kind, server: Pool): Promise<boolean> {
    const [id, { key }] = this.#random.pick([...this.handles(kind)]);
    const keepsKey = key === baseKey || kind.hasFixedKey === true || this.#random.chance(0.8);
    return this.update(kind, server, { id, key: keepsKey ? key : this.newKey() });
  }

  update(
    { kind, path, rename = changeName, change }: Kind,
    server: Pool,
    after: { readonly id: string; readonly key: string | undefined },
  ): Promise<boolean> {
    const { id, key: newKey } = after;
    const { version, key, found } = this.#live.get(kind)!.get(id)!;
    const text = this.#newText();
    const changed = change?.(found, { text, key: newKey, random: this.#random });
    const content = changed?.content ?? { text, ...(newKey !== undefined && { key: newKey }) };
    const actions = [
      ...(changed?.actions ?? [rename(text)]),
      ...(newKey === key ? [] : [{ action: 'setKey', key: newKey }]),
    ];
    const attempt = { kind, id, expected: version, content };
    const body = { version, actions };
    const name = `update ${kind} ${id} at ${version}`;
    return this.ask({ server, method: 'POST', path: `/${path}/${id}`, body, attempt, name }, (answer) =>
      this.#writtenOf(answer, { kind, id }),
    );
  }

  removeAny(kind: Kind, server: Pool): Promise<boolean> {
    const removable = [...this.handles(kind)].filter(([, { key }]) => key !== baseKey);
    return this.remove(kind, server, this.#random.pick(removable)[0]);
  }

  remove({ kind, path }: Kind, server: Pool, id: string): Promise<boolean> {
    const { version } = this.#live.get(kind)!.get(id)!;
    const attempt = { kind, id, expected: version, content: undefined };
    const name = `delete ${kind} ${id} at ${version}`;
    const asked = { server, method: 'DELETE', path: `/${path}/${id}?version=${version}`, attempt, name } as const;
    return this.ask(asked, (answer) => {
      if (answer.status !== 200) return this.#writtenOf(answer, { kind, id });
      this.#forget(kind, id);
      return [{ is: 'absent', kind, id }];
    });
  }

  updateProject(server: Pool): Promise<boolean> {
    const [id, { version }] = [...this.#live.get(projectKind)!][0]!;
    const text = this.#newText();
    const attempt = { kind: projectKind, id, expected: version, content: { text } };
    const body = { version, actions: [{ action: 'changeName', name: text }] };
    const name = `update the project at ${version}`;
    return this.ask({ server, method: 'POST', path: '', body, attempt, name }, ({ status, body: read }) =>
      status === 200 ? [this.#projectOf(read)] : [],
    );
  }

  createClient(server: Pool): Promise<boolean> {
    const text = this.#newText();
    const attempt = { kind: clientKind, id: undefined, expected: 0, content: { text } };
    const body = { name: text, scope: `manage_project:${this.#options.cluster.projectKey}` };
    const name = 'create an API client';
    return this.ask({ server, method: 'POST', path: '/api-clients', body, attempt, name }, ({ status, body: made }) => {
      if (status !== 201) return [];
      const client = { id: String(made['id']), secret: String(made['secret']), tokens: [] };
      this.clients.push(client);
      return [clientPresent(client.id)];
    });
  }

  removeClient(server: Pool, client = this.#random.pick(this.clients)): Promise<boolean> {
    const { id } = client;
    const attempt = { kind: clientKind, id, expected: 1, content: undefined };
    const name = `delete the API client ${id}`;
    return this.ask({ server, method: 'DELETE', path: `/api-clients/${id}`, attempt, name }, ({ status }) => {
      if (status !== 200 && status !== 404) return [];
      const index = this.clients.indexOf(client);
      if (index >= 0) this.clients.splice(index, 1);
      this.goneClients.push(client);
      if (this.goneClients.length > goneMax) this.goneClients.shift();
      return [{ is: 'absent', kind: clientKind, id }];
    });
  }

  /** With all that the client may do, or with less. */
  async grant(server: Pool, client: Client, scope?: string): Promise<Answer | undefined> {
    const name = `grant a token to ${client.id}`;
    const operation = this.#begin(name, undefined);
    const asked = scope === undefined ? '' : `&scope=${scope}:${this.#options.cluster.projectKey}`;
    const body = `grant_type=client_credentials${asked}`;
    const answer = await sendForm(server, client, { path: '/oauth/token', body });
    const token = answer?.status === 200 ? String(answer.body['access_token']) : undefined;
    if (token !== undefined) {
      client.tokens.push(token);
      if (client.tokens.length > tokensPerClient) client.tokens.shift();
    }
    this.#end({ operation, answer, name }, this.#credentialsIn(answer, { client, token }));
    return answer;
  }

  async revokeToken(server: Pool, token = this.#random.pick(this.first.tokens)): Promise<boolean> {
    this.first.tokens.splice(this.first.tokens.indexOf(token), 1);
    this.#revoked.push(token);
    if (this.#revoked.length > goneMax) this.#revoked.shift();
    const attempt = { kind: tokenKind, id: token, expected: 1, content: undefined };
    const name = 'revoke a token';
    const operation = this.#begin(name, attempt);
    const answer = await sendForm(server, this.first, { path: '/oauth/token/revoke', body: `token=${token}` });
    this.#end(
      { operation, answer, name, attempt },
      answer?.status === 200 ? [{ is: 'absent', kind: tokenKind, id: token }] : [],
    );
    return answer !== undefined && answer.status < 500;
  }

  /** The zone of the shipping methods. */
  async baseZone(): Promise<{ readonly kind: Kind; readonly id: string }> {
    const zone = this.kinds.find(({ kind }) => kind === 'zone')!;
    const base = [...this.handles(zone)].find(([, { key }]) => key === baseKey);
    // Resources are shipped by a method that never goes.
    const method = this.kinds.find(({ kind }) => kind === 'shipping-method')!;
    await this.create(method, baseKey);
    return { kind: zone, id: base![0] };
  }

  /** Does something to a resource that leaves its name and key as they are. */
  change(
    { kind: { kind, path }, id }: { readonly kind: Kind; readonly id: string },
    server: Pool,
    action: object,
  ): Promise<boolean> {
    const { version, key } = this.#live.get(kind)!.get(id)!;
    const text = this.#newText();
    const content = { text, ...(key !== undefined && { key }) };
    const body = { version, actions: [action, { action: 'changeName', name: text }] };
    const attempt = { kind, id, expected: version, content };
    return this.ask(
      { server, method: 'POST', path: `/${path}/${id}`, body, attempt, name: `change ${kind}` },
      (answer) => this.#writtenOf(answer, { kind, id }),
    );
  }

  /** Makes a custom object that refers to all of these. */
  refer(server: Pool, { kind }: Kind, ids: readonly string[]): Promise<boolean> {
    const value = ids.map((id) => ({ typeId: kind, id }));
    const body = { container: 'references', key: kind, value };
    return this.ask({ server, method: 'POST', path: '/custom-objects', body, name: `refer to ${kind}` }, () => []);
  }

  readReferred(server: Pool, { kind }: Kind): Promise<boolean> {
    const path = `/custom-objects/references/${kind}?expand=value[*]`;
    return this.ask({ server, method: 'GET', path, name: `read what is referred to` }, ({ status, body }) => {
      if (status !== 200) return [];
      const { value } = body as { value: readonly { obj: Record<string, unknown> }[] };
      return value.map(({ obj }) => this.presentOf(kind, obj));
    });
  }

  // ----- requests

  /** Sends a request with some client's token and records it. Tells whether it was answered. */
  async ask(
    asked: {
      readonly server: Pool;
      readonly method: 'GET' | 'POST' | 'DELETE';
      readonly path: string;
      readonly body?: unknown;
      readonly attempt?: Attempt;
      readonly name: string;
      /** By default those of any client. */
      readonly credentials?: Credentials;
    },
    read: (answer: Answer) => readonly Observation[],
  ): Promise<boolean> {
    const { server, method, path, body, attempt, name } = asked;
    const credentials = asked.credentials ?? this.#someCredentials();
    const operation = this.#begin(name, attempt);
    const answer = await send(server, {
      method,
      path: `/${this.#options.cluster.projectKey}${path}`,
      headers: { authorization: `Bearer ${credentials.token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const isAnswered = answer !== undefined && answer.status < 500;
    const isTaken = isAnswered && answer.status !== 401;
    const observations = [...(isTaken ? read(answer) : []), ...this.#credentialsIn(answer, credentials)];
    this.#end({ operation, answer, name, ...(attempt !== undefined && { attempt }) }, observations);
    return isAnswered;
  }

  /** Tells the checker of what no single answer says. */
  observe(name: string, observations: readonly Observation[]): void {
    const operation = this.#begin(name, undefined);
    this.#options.record({ phase: 'end', operation, outcome: 'done', observations }, name);
  }

  #begin(name: string, attempt: Attempt | undefined): number {
    const operation = (this.#operations += 1);
    this.#options.record({ phase: 'begin', operation, ...(attempt !== undefined && { attempt }) }, name);
    return operation;
  }

  #end(
    ended: {
      readonly operation: number;
      readonly answer: Answer | undefined;
      readonly name: string;
      readonly attempt?: Attempt;
    },
    observations: readonly Observation[],
  ): void {
    const { operation, answer, name, attempt } = ended;
    const counts = this.counts;
    const isAnswered = answer !== undefined && answer.status < 500;
    if (isAnswered) counts.answered += 1;
    else counts.unanswered += 1;
    const outcome = !isAnswered ? 'unknown' : answer.status < 300 ? 'done' : 'refused';
    if (attempt !== undefined && outcome === 'done') counts.writes += 1;
    this.#options.record({ phase: 'end', operation, outcome, observations }, name);
    this.#options.progressed(counts);
  }

  /** Mostly a token of the first client, which at times has been revoked; at times one of another client, or of one gone. */
  #someCredentials(): Credentials {
    if (!this.isRandom) return { client: this.first, token: this.first.tokens.at(-1)! };
    const others = [...this.clients, ...this.goneClients].filter(({ tokens }) => tokens.length > 0);
    const client = others.length === 0 || this.#random.chance(0.8) ? this.first : this.#random.pick(others);
    const isRevoked = client === this.first && this.#revoked.length > 0 && this.#random.chance(0.05);
    return { client, token: this.#random.pick(isRevoked ? this.#revoked : client.tokens) };
  }

  /**
   * Any answer but a refusal of the credentials shows that the client and the token are there. A refusal shows that the
   * client is gone; of the first one, which stays, that the token is.
   */
  #credentialsIn(
    answer: Answer | undefined,
    { client: { id }, token }: { readonly client: Client; readonly token: string | undefined },
  ): readonly Observation[] {
    if (answer === undefined || answer.status >= 500) return [];
    const of = id === this.first.id && token !== undefined ? { kind: tokenKind, id: token } : { kind: clientKind, id };
    if (answer.status === 401) return [{ is: 'absent', ...of }];
    return [clientPresent(id), { is: 'present', ...of, version: 1, content: undefined }];
  }

  // ----- what answers say

  #oneOf(
    { status, body }: Answer,
    wanted: { readonly kind: string; readonly id?: string; readonly key?: string },
  ): readonly Observation[] {
    if (status === 200)
      return [{ ...this.presentOf(wanted.kind, body), ...(wanted.key !== undefined && { askedKey: wanted.key }) }];
    if (status !== 404) return [];
    if (wanted.id !== undefined) this.#forget(wanted.kind, wanted.id);
    return [noneOf(wanted)];
  }

  #writtenOf({ status, body }: Answer, { kind, id }: { kind: string; id: string }): readonly Observation[] {
    if (status === 200) return [this.presentOf(kind, body)];
    if (status !== 404) return [];
    this.#forget(kind, id);
    return [{ is: 'absent', kind, id }];
  }

  #listOf({ status, body }: Answer, kind: string): readonly Observation[] {
    if (status !== 200) return [];
    const { total } = body as { total?: number };
    return [{ is: 'list', kind, items: resultsOf(body).map((found) => this.presentOf(kind, found)), total }];
  }

  /** A representation, which also says what the next update has to name. */
  presentOf(kind: string, found: Record<string, unknown>): Present {
    // Members of a representation.
    const { id, version } = found as { id: string; version: number };
    const { contentOf = nameAndKey } = this.kinds.find((each) => each.kind === kind) ?? {};
    const content = contentOf(found);
    const handles = this.#live.get(kind);
    const isGone = this.#gone.get(kind)?.includes(id) === true;
    if (!isGone && version > (handles?.get(id)?.version ?? 0)) {
      const handle = { version, key: content.key, found };
      if (handles === undefined) this.#live.set(kind, new Map([[id, handle]]));
      else handles.set(id, handle);
    }
    return { is: 'present', kind, id, version, content };
  }

  #projectOf(body: Record<string, unknown>): Present {
    const { key, version, name } = body as { key: string; version: number; name: string };
    const handles = this.#live.get(projectKind)!;
    if (version > handles.get(key)!.version) handles.set(key, { version, key: undefined, found: body });
    return { is: 'present', kind: projectKind, id: key, version, content: { text: name } };
  }

  #forget(kind: string, id: string): void {
    this.#live.get(kind)?.delete(id);
    const gone = this.#gone.get(kind) ?? [];
    this.#gone.set(kind, gone);
    if (!gone.includes(id)) gone.push(id);
    if (gone.length > goneMax) gone.shift();
  }

  handles({ kind }: Kind): ReadonlyMap<string, Handle> {
    return this.#live.get(kind) ?? new Map<string, Handle>();
  }

  /** An id that is there or, at times, one that was. */
  #anyId(kind: string): string {
    const gone = this.#gone.get(kind) ?? [];
    const live = [...(this.#live.get(kind)?.keys() ?? [])];
    return gone.length > 0 && this.#random.chance(0.1) ? this.#random.pick(gone) : this.#random.pick(live);
  }

  newKey(): string {
    return `key-${this.#random.integer(1, keysPerKind)}`;
  }

  #newText(): string {
    return `text-${(this.#texts += 1)}`;
  }
}

export function plainKind(
  kind: string,
  path: string,
  [one, many]: readonly [string, string],
  draft: Kind['draft'],
): Kind {
  return { kind, path, one, many, draft };
}

function changeName(name: string): object {
  return { action: 'changeName', name };
}

function nameAndKey(found: Record<string, unknown>): Content {
  // Members of most representations.
  const { name, key } = found as { name: Name; key?: string | null };
  const text = typeof name === 'string' ? name : name[locale]!;
  return { text, ...(typeof key === 'string' && { key }) };
}

function noneOf(wanted: { readonly kind: string; readonly id?: string; readonly key?: string }): Observation {
  const { kind, id, key } = wanted;
  return id === undefined ? { is: 'free', kind, key: key! } : { is: 'absent', kind, id };
}

function clientPresent(id: string): Present {
  return { is: 'present', kind: clientKind, id, version: 1, content: undefined };
}

function resultsOf(body: Record<string, unknown>): readonly Record<string, unknown>[] {
  // Pages of the API; other answers have none.
  return (body['results'] ?? []) as readonly Record<string, unknown>[];
}

/** Posts a form in the name of a client. */
function sendForm(
  server: Pool,
  { id, secret }: Client,
  { path, body }: { readonly path: string; readonly body: string },
): Promise<Answer | undefined> {
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  return send(server, { method: 'POST', path, headers, body });
}

/** The answer; undefined when none came. */
async function send(
  server: Pool,
  request: {
    readonly method: 'GET' | 'POST' | 'DELETE';
    readonly path: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
  },
): Promise<Answer | undefined> {
  try {
    const { body, ...rest } = request;
    const response = await server.request({
      ...rest,
      ...(body !== undefined && { body }),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    return { status: response.statusCode, body: (await response.body.json()) as Record<string, unknown> };
  } catch {
    return undefined;
  }
}
