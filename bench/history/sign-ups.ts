import type { Pool } from 'undici';
import type { Random } from '../../src/demo/random.ts';
import type { Observation } from './checker.ts';
import type { Requests } from './requests.ts';

/** A visitor with a cart, who may sign up for it: both are written together, or neither. */
interface Visitor {
  readonly email: string;
  readonly cartId: string;
}

/** Those who are asked about; older ones are left alone. */
const visitorsMax = 200;

/**
 * Sign-ups that take over the cart of an anonymous session. Whether the answer to one came or not, whoever sees one half
 * of it sees the other from then on.
 */
export class SignUps {
  readonly #requests: Requests;
  readonly #random: Random;
  readonly #waiting: Visitor[] = [];
  readonly #asked: Visitor[] = [];
  #count = 0;

  constructor(requests: Requests, random: Random) {
    this.#requests = requests;
    this.#random = random;
  }

  step(server: Pool): Promise<boolean> {
    const chance = this.#random.integer(1, 10);
    const waiting = chance <= 5 ? this.#waiting.shift() : undefined;
    if (waiting !== undefined) return this.#signUp(server, waiting);
    if (chance <= 8 && this.#asked.length > 0) return this.#look(this.#random.pick(this.#asked));
    return this.#visit(server);
  }

  /** Signs up a last visitor and those who have not done so yet, and looks at every one that is remembered. */
  async end(server: Pool): Promise<void> {
    await this.#visit(server);
    for (const visitor of this.#waiting) await this.#signUp(server, visitor);
    for (const visitor of this.#asked) for (const isCartFirst of [true, false]) await this.#look(visitor, isCartFirst);
  }

  #visit(server: Pool): Promise<boolean> {
    const name = `visitor-${(this.#count += 1)}`;
    const body = { currency: 'EUR', anonymousId: name };
    return this.#requests.ask({ server, method: 'POST', path: '/carts', body, name: 'a visit' }, (answer) => {
      if (answer.status === 201)
        this.#waiting.push({ email: `${name}@example.org`, cartId: String(answer.body['id']) });
      return [];
    });
  }

  #signUp(server: Pool, visitor: Visitor): Promise<boolean> {
    const { email, cartId } = visitor;
    this.#asked.push(visitor);
    if (this.#asked.length > visitorsMax) this.#asked.shift();
    // Somebody else signs them in, so there is no password to be hashed.
    const body = { email, authenticationMode: 'ExternalAuth', anonymousCart: { typeId: 'cart', id: cartId } };
    return this.#requests.ask({ server, method: 'POST', path: '/customers', body, name: `sign up ${email}` }, () => []);
  }

  /** Reads one half and, where it is there, the other one after it, on any two servers. */
  async #look(visitor: Visitor, isCartFirst = this.#random.chance(0.5)): Promise<boolean> {
    const first = isCartFirst ? await this.#ownerOfCart(visitor) : await this.#customerOf(visitor);
    if (first === undefined) return false;
    if (first === 'none') return true;
    const second = await (isCartFirst ? this.#customerOf(visitor, first) : this.#ownerOfCart(visitor, first));
    return second !== undefined;
  }

  #ownerOfCart({ cartId }: Visitor, expected?: string): Promise<string | undefined> {
    return this.#half(
      { path: `/carts/${cartId}`, name: `read cart ${cartId}`, expected },
      (cart) => cart['customerId'] as string | undefined,
    );
  }

  #customerOf({ email }: Visitor, expected?: string): Promise<string | undefined> {
    const where = new URLSearchParams({ where: `email = "${email}"` });
    return this.#half({ path: `/customers?${where.toString()}`, name: `read customer ${email}`, expected }, (page) => {
      // A page of customers.
      const [customer] = page['results'] as readonly { readonly id: string }[];
      return customer?.id;
    });
  }

  /** The customer whom this half of a sign-up names, or 'none'; undefined where there was no answer. */
  async #half(
    asked: { readonly path: string; readonly name: string; readonly expected: string | undefined },
    read: (body: Record<string, unknown>) => string | undefined,
  ): Promise<string | undefined> {
    const { path, name, expected } = asked;
    let found: string | undefined;
    const server = this.#random.pick(this.#requests.servers);
    await this.#requests.ask({ server, method: 'GET', path, name }, ({ status, body }): readonly Observation[] => {
      if (status !== 200) return [];
      found = read(body) ?? 'none';
      if (expected === undefined || expected === found) return [];
      return [{ is: 'wrong', message: `a half of a sign-up names ${found}, the other one ${expected}` }];
    });
    return found;
  }
}
