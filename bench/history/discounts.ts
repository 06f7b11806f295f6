import type { Pool } from 'undici';
import type { Random } from '../../src/demo/random.ts';
import type { Observation } from './checker.ts';
import { centsOfText, type Data, type Product } from './goods.ts';
import type { Requests } from './requests.ts';

export interface DiscountTimes {
  /** In which a write is taken when no process is ended. */
  readonly writeMsMax: number;
  /** The documented one in which what is stored of prices follows a change of a discount. */
  readonly followMsMax: number;
}

const documented: DiscountTimes = { writeMsMax: 60_000, followMsMax: 10_000 };
const pollMs = 200;
/** The discount of these permyriads is one whole text each, so that a discounted price tells which one it is of. */
const permyriadMax = 9999;
/** States of products that are remembered; older ones are not compared. */
const statesMax = 20_000;

/** The discount as it is, or may be by a write that is under way: undefined while it is not active. */
type Off = number | undefined;

/**
 * One discount of all prices, which changes. A discounted price tells its permyriad; it is of the price that it stands in, and
 * of a state that the discount was in, and the same in all answers that show this version of the product.
 */
export class Discounts {
  readonly #requests: Requests;
  readonly #random: Random;
  readonly #times: DiscountTimes;
  #id: string | undefined;
  #version = 0;
  #permyriad = 0;
  /** As it was acknowledged last. */
  #off: Off;
  /** States that were written, or may have been. */
  readonly #attempted = new Set<Off>([undefined]);
  readonly #seen = new Map<string, string>();

  constructor(requests: Requests, random: Random, times = documented) {
    this.#requests = requests;
    this.#random = random;
    this.#times = times;
  }

  async prepare(): Promise<void> {
    const body = {
      key: 'discount',
      name: { en: 'Discount' },
      predicate: '1 = 1',
      sortOrder: '0.5',
      isActive: false,
      value: { type: 'relative', permyriad: 1 },
    };
    const server = this.#requests.servers[0]!;
    await this.#requests.ask(
      { server, method: 'POST', path: '/product-discounts', body, name: 'create a product discount' },
      (answer) => this.#written(answer.body),
    );
    if (this.#id === undefined) throw new Error('There is no product discount.');
  }

  /** Changes the discount, or switches it. */
  step(server: Pool): Promise<boolean> {
    return this.write(server, this.#random.chance(0.2) ? undefined : this.#next());
  }

  /** From its acknowledgment on writes of products go by it. */
  write(server: Pool, off: Off): Promise<boolean> {
    this.#attempted.add(off);
    const actions = [
      { action: 'changeIsActive', isActive: off !== undefined },
      ...(off === undefined ? [] : [{ action: 'changeValue', value: { type: 'relative', permyriad: off } }]),
    ];
    const body = { version: this.#version, actions };
    const path = `/product-discounts/${this.#id}`;
    const name = `change the product discount to ${off}`;
    const asked = {
      server,
      method: 'POST',
      path,
      body,
      name,
    } as const;
    return this.#requests.ask(asked, (answer) => {
      if (answer.status === 200) {
        this.#off = off;
        return this.#written(answer.body);
      }
      // Another version than is known is that of a write without an answer.
      const { currentVersion } = (answer.body['errors'] as readonly { currentVersion?: number }[])[0] ?? {};
      if (currentVersion !== undefined) this.#version = Math.max(this.#version, currentVersion);
      return [];
    });
  }

  /** Of a product that was written since the discount was, while nobody changes either. */
  look(server: Pool, id: string): Promise<boolean> {
    const path = `/products/${id}`;
    const name = `read the discounts of product ${id}`;
    return this.#requests.ask({ server, method: 'GET', path, name }, ({ status, body }) => {
      if (status !== 200) return [];
      // A product.
      const { current, staged } = (body as unknown as Product).masterData;
      const shown = [...new Set([...offsOf(current), ...offsOf(staged)])];
      if (shown.every((off) => off === this.#off)) return [];
      const message = `product ${id} was written by the discount ${shown.join(' and ') || 'none'}, which was ${this.#off ?? 'none'} before`;
      return [{ is: 'wrong', message }];
    });
  }

  #written({ id, version }: Record<string, unknown>): readonly Observation[] {
    this.#id = String(id);
    this.#version = Math.max(this.#version, Number(version));
    return [];
  }

  #next(): number {
    this.#permyriad = (this.#permyriad % permyriadMax) + 1;
    return this.#permyriad;
  }

  /** Both halves of a product. */
  observed(found: Product): readonly Observation[] {
    const { current, staged } = found.masterData;
    return [...this.observedIn(found, 'current', current), ...this.observedIn(found, 'staged', staged)];
  }

  observedIn({ id, version }: Pick<Product, 'id' | 'version'>, side: string, data: Data): readonly Observation[] {
    const offs = offsOf(data);
    const named = `product ${id} in version ${version}, ${side},`;
    const wrong = offs.find((off) => !this.#attempted.has(off));
    if (wrong !== undefined) return [{ is: 'wrong', message: `${named} has a discount of ${wrong}, which never was` }];
    const text = [...new Set(offs)].join(' and ');
    if (new Set(offs).size > 1) return [{ is: 'wrong', message: `${named} has discounts of ${text}` }];
    const name = `${id} ${version} ${side}`;
    const seen = this.#seen.get(name);
    if (seen === undefined) {
      this.#seen.set(name, text);
      if (this.#seen.size > statesMax) this.#seen.delete(this.#seen.keys().next().value!);
    } else if (seen !== text)
      return [
        { is: 'wrong', message: `${named} has a discount of ${text || 'none'}, but had one of ${seen || 'none'}` },
      ];
    return [];
  }

  /** Changes the discount a last time, and waits until every product shows it; that it takes longer than it may is wrong. */
  async end(server: Pool): Promise<void> {
    const off = this.#next();
    const { writeMsMax, followMsMax } = this.#times;
    if (!(await isSoon(writeMsMax, () => this.#isWritten(server, off))))
      return this.#requests.observe(`change the product discount to ${off}`, [
        { is: 'wrong', message: `the product discount could not be changed in ${writeMsMax} ms` },
      ]);
    let late: number | undefined;
    const hasFollowed = await isSoon(followMsMax, async () => {
      late = (await this.#late(server, off)) ?? late;
      return late === 0;
    });
    if (hasFollowed) return;
    const message = `${late ?? 'unknown'} products show another discount than ${off} after ${followMsMax} ms`;
    this.#requests.observe(`products follow the discount of ${off}`, [{ is: 'wrong', message }]);
  }

  async #isWritten(server: Pool, off: number): Promise<boolean> {
    await this.write(server, off);
    // A refusal may have told the version alone.
    return this.#off === off;
  }

  /** How many products show another discount; undefined without an answer. */
  async #late(server: Pool, off: number): Promise<number | undefined> {
    let late: number | undefined;
    const name = `products follow the discount of ${off}`;
    const asked = { server, method: 'GET', path: '/products?limit=500', name } as const;
    await this.#requests.ask(asked, ({ status, body }) => {
      if (status !== 200) return [];
      // A page of products.
      const products = body['results'] as readonly Product[];
      late = products.filter(({ masterData: { current, staged } }) =>
        [...offsOf(current), ...offsOf(staged)].some((each) => each !== off),
      ).length;
      return [];
    });
    return late;
  }
}

/** Whether it becomes so in this time. It is asked once more when the time is up. */
async function isSoon(msMax: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const giveUpAtMs = performance.now() + msMax;
  for (;;) {
    const isLate = performance.now() > giveUpAtMs;
    if (await isSo()) return true;
    if (isLate) return false;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** The permyriads by which the prices are discounted. */
function offsOf({ masterVariant, variants }: Data): readonly Off[] {
  return [masterVariant, ...variants].flatMap(({ prices }) =>
    prices.map(({ value, discounted }) => {
      if (!discounted) return undefined;
      // Each text has as many cents as there are permyriads.
      return centsOfText - discounted.value.centAmount / (value.centAmount / centsOfText);
    }),
  );
}
