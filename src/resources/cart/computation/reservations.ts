/**
 * Stock that is held back for line items in the inventory mode ReserveOnCart. It is reserved when a line is added, gets
 * another quantity or supply channel, or comes to be in that mode, and released when it leaves the cart or the mode. What
 * cannot be reserved is not done: the line is not added, or stays as it was, and the answer has a warning. Public
 * documentation says so of quantities; of the rest it says that nobody adds more to a cart than there is.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { invalidOperation } from '../../../engine/actions.ts';
import { readHolders } from '../../../engine/computation.ts';
import type { Fixed } from '../../../engine/document.ts';
import { documentOf } from '../../../engine/json.ts';
import { Readings } from '../../../engine/readings.ts';
import type { ComputeGathering, Warning } from '../../../engine/resource.ts';
import type { InventoryEntry } from '../../inventory-entry/fields.ts';
import { stockUnique } from '../../inventory-entry/offers.ts';
import type { Reservation } from '../../reservation/fields.ts';
import { type Effect, isLive } from '../../reservation/offers.ts';
import { reservingName } from '../actions/line-items.ts';
import { reservedMinutes } from '../actions/reservations.ts';
import type { Cart } from '../fields.ts';
import type { LineItem } from '../item-fields.ts';
import { cannotChangeExpiry, cannotCreate, cannotUpdate } from './reservation-warnings.ts';

/** Stocks and reservations that may be others after a request, by their ids. */
export interface Stocks {
  readonly entries: ReadonlyMap<string, Fixed<InventoryEntry>>;
  readonly reservations: ReadonlyMap<string, Fixed<Reservation>>;
}

const none: Stocks = { entries: new Map(), reservations: new Map() };

/** A line before and after a request. */
interface Change {
  readonly before: Fixed<LineItem> | undefined;
  readonly after: LineItem | undefined;
  readonly wasReserved: boolean;
  readonly isReserved: boolean;
}

/** Lines of whose stock something may change, those that give some up first. */
function changesOf(cart: Fixed<Cart>, before: Fixed<Cart> | undefined, said: ReadonlySet<string>): readonly Change[] {
  const linesBefore = new Map(before?.lineItems.map((line) => [line.id, line]));
  const isRenewed = reservedMinutes(said) !== undefined;
  const own = cart.lineItems.map((line): Change => {
    const known = linesBefore.get(line.id);
    return {
      before: known,
      after: line as LineItem,
      wasReserved: known !== undefined && isReserving(known, before!),
      isReserved: isReserving(line, cart),
    };
  });
  const left = new Set(cart.lineItems.map(({ id }) => id));
  const gone = [...linesBefore.values()]
    .filter(({ id }) => !left.has(id))
    .map((line): Change => ({ before: line, after: undefined, wasReserved: false, isReserved: false }));
  return [...gone, ...own]
    .filter(({ before: known, after, wasReserved, isReserved }) => {
      if (!isReserved) return known?.reservation !== undefined;
      if (known === undefined || !wasReserved || !isDeepStrictEqual(stockOf(known), stockOf(after!))) return true;
      return known.reservation !== undefined && (isRenewed || said.has(reservingName(known.id)));
    })
    .toSorted((one, other) => Number(givesUp(other)) - Number(givesUp(one)));
}

/** Others may have what it gives up. */
function givesUp({ before, after, isReserved }: Change): boolean {
  return !isReserved || (before !== undefined && after!.quantity < before.quantity);
}

function isReserving({ lineItemMode, inventoryMode }: Fixed<LineItem>, cart: Fixed<Cart>): boolean {
  const mode = inventoryMode ?? cart.inventoryMode;
  return lineItemMode === 'Standard' && mode === 'ReserveOnCart' && cart.cartState !== 'Merged';
}

/** A variant that gets another SKU leaves its lines what they have reserved, until they change themselves. */
function stockOf({ quantity, supplyChannel }: Fixed<LineItem>): object {
  return { quantity, channel: supplyChannel?.id };
}

/** A cart that reserves nothing costs no read. Stocks of lines that are added by their SKUs are read with the cart. */
export async function stocksOf(
  { engine, project, found, said, before }: Pick<ComputeGathering, 'engine' | 'project' | 'found' | 'said' | 'before'>,
  cart: Fixed<Cart>,
): Promise<Stocks> {
  const changes = changesOf(cart, before as unknown as Fixed<Cart> | undefined, said);
  if (changes.length === 0) return none;
  const ids = [...new Set(changes.flatMap((change) => change.before?.reservation?.id ?? []))];
  const lines = changes.flatMap(({ before: known, after, isReserved }) => [
    ...(known?.reservation === undefined ? [] : [known]),
    ...(isReserved ? [after!] : []),
  ]);
  const holders = lines.flatMap(({ variant: { sku }, supplyChannel }) =>
    sku === undefined ? [] : [{ kind: 'inventory-entry', unique: stockUnique(sku, supplyChannel?.id) }],
  );
  const missing = holders.filter(({ kind, unique: { field, value } }) => !found.hasSought(kind, field, value));
  const read = new Readings();
  const [stored] = await Promise.all([
    ids.length === 0
      ? []
      : engine.store.find(
          project,
          ids.map((id) => ({ kind: 'reservation', id })),
        ),
    readHolders(engine, project, { holders: missing, into: read }),
  ]);
  const reservations = stored.flatMap((each) =>
    each === undefined ? [] : [documentOf<Fixed<Reservation>>(each.json)],
  );
  const entries = holders.flatMap(({ kind, unique: { field, value } }) => {
    // Stored entries were parsed by their kind.
    return (found.holder(kind, field, value) ?? read.holder(kind, field, value) ?? []) as Fixed<InventoryEntry>[];
  });
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  // Entries get other channels, and variants other SKUs.
  const others = [...new Set(reservations.map(({ inventoryEntry }) => inventoryEntry.id))].filter(
    (id) => !byId.has(id),
  );
  const more =
    others.length === 0
      ? []
      : await engine.store.find(
          project,
          others.map((id) => ({ kind: 'inventory-entry', id })),
        );
  for (const each of more) if (each !== undefined) byId.set(each.id, documentOf<Fixed<InventoryEntry>>(each.json));
  return { entries: byId, reservations: new Map(reservations.map((each) => [each.id, each])) };
}

export interface Reserving {
  readonly before: Fixed<Cart> | undefined;
  readonly stocks: Stocks;
  readonly said: ReadonlySet<string>;
  readonly now: string;
  /** Minutes for which a reservation lasts, of stocks that say nothing themselves. */
  readonly minutes: number | undefined;
  warn(warning: Warning): void;
  leave(effect: Effect): void;
}

/** Throws InvalidOperation where the project does not say how long reservations last. */
export function reserveStock(cart: Cart, reserving: Reserving): void {
  const { before, said, minutes } = reserving;
  const linesBefore = new Map(before?.lineItems.map((line) => [line.id, line]));
  for (const line of cart.lineItems) {
    const known = linesBefore.get(line.id)?.reservation;
    if (line.reservation?.id === known?.id) continue;
    // Planned again, because an extension asked for more, a line has what the first plan gave it, which is not there.
    delete line.reservation;
    if (known !== undefined) line.reservation = { ...known };
  }
  const changes = changesOf(cart, before, said);
  const isNewMode = before === undefined && cart.inventoryMode === 'ReserveOnCart';
  if (minutes === undefined && (isNewMode || changes.some(({ isReserved }) => isReserved)))
    throw invalidOperation(
      "The inventory mode ReserveOnCart needs the project's setting 'inventory.reservationExpirationInMinutes'.",
    );
  const keeper = new Keeper(reserving);
  for (const change of changes) {
    if (change.isReserved) keeper.reserve(cart, change);
    else keeper.release(change);
  }
}

/** Knows what is available while one line after the other takes of it. */
class Keeper {
  readonly #reserving: Reserving;
  readonly #available: Map<string, number>;

  constructor(reserving: Reserving) {
    this.#reserving = reserving;
    this.#available = new Map(
      [...reserving.stocks.entries].map(([id, { availableQuantity }]) => [id, availableQuantity]),
    );
  }

  release({ before, after }: Change): void {
    if (after !== undefined) delete after.reservation;
    this.#releaseOf(before!);
  }

  reserve(cart: Cart, { before, after: line }: Change): void {
    const held = this.#liveOf(before);
    const entry = this.#entryOf(line!);
    const { said } = this.#reserving;
    const isAsItWas = before?.reservation !== undefined && isDeepStrictEqual(stockOf(before), stockOf(line!));
    if (isAsItWas && held === undefined && !said.has(reservingName(line!.id)))
      this.#reserving.warn(cannotChangeExpiry(line!));
    else if (isAsItWas && held !== undefined && reservedMinutes(said) === undefined) return;
    else if (held !== undefined && entry?.id === held.inventoryEntry.id)
      this.#change(line!, { held, entry, before: before! });
    else this.#create(cart, line!, { entry, before });
  }

  /** Of the reservation that there is another quantity, or another end. */
  #change(
    line: LineItem,
    { held, entry, before }: { held: Fixed<Reservation>; entry: Fixed<InventoryEntry>; before: Fixed<LineItem> },
  ): void {
    const more = line.quantity - held.quantity;
    // Less can be reserved of a stock that lacks units, too.
    if (more > 0 && more > this.#availableOf(entry)) {
      this.#reserving.warn(cannotUpdate(line, held.quantity));
      restore(line, before);
      return;
    }
    this.#take(entry, more);
    const expiresAt = this.#expiryOf(entry);
    this.#reserving.leave({ type: 'change', of: held, to: { quantity: line.quantity, expiresAt } });
  }

  #create(
    cart: Cart,
    line: LineItem,
    { entry, before }: { entry: Fixed<InventoryEntry> | undefined; before: Fixed<LineItem> | undefined },
  ): void {
    const { quantity, id: lineItemId } = line;
    if (entry === undefined || quantity > this.#availableOf(entry)) {
      // It has ended, or its stock has gone.
      const isOfKnown = before?.reservation !== undefined && before.supplyChannel?.id === line.supplyChannel?.id;
      this.#reserving.warn(isOfKnown ? cannotUpdate(line, this.#liveOf(before)?.quantity ?? 0) : cannotCreate(line));
      if (before !== undefined) restore(line, before);
      else cart.lineItems = cart.lineItems.filter(({ id }) => id !== lineItemId);
      return;
    }
    if (before !== undefined) this.#releaseOf(before);
    this.#take(entry, quantity);
    const id = randomUUID();
    line.reservation = { typeId: 'reservation', id };
    const made = { entryId: entry.id, quantity, lineItemId, expiresAt: this.#expiryOf(entry) };
    this.#reserving.leave({ type: 'create', id, made });
  }

  #releaseOf({ reservation }: Fixed<LineItem>): void {
    const of = reservation && this.#reserving.stocks.reservations.get(reservation.id);
    if (of === undefined) return;
    const entry = this.#reserving.stocks.entries.get(of.inventoryEntry.id);
    if (entry !== undefined && isLive(of)) this.#take(entry, -of.quantity);
    this.#reserving.leave({ type: 'release', of, isStocked: entry !== undefined });
  }

  #liveOf(line: Fixed<LineItem> | undefined): Fixed<Reservation> | undefined {
    const reservation = line?.reservation && this.#reserving.stocks.reservations.get(line.reservation.id);
    return reservation !== undefined && isLive(reservation) ? reservation : undefined;
  }

  #entryOf({ variant: { sku }, supplyChannel }: LineItem): Fixed<InventoryEntry> | undefined {
    return [...this.#reserving.stocks.entries.values()].find(
      (entry) => entry.sku === sku && entry.supplyChannel?.id === supplyChannel?.id,
    );
  }

  #availableOf({ id }: Fixed<InventoryEntry>): number {
    return this.#available.get(id)!;
  }

  #take(entry: Fixed<InventoryEntry>, quantity: number): void {
    this.#available.set(entry.id, this.#availableOf(entry) - quantity);
  }

  #expiryOf({ reservationExpirationInMinutes: own }: Fixed<InventoryEntry>): string {
    const { said, now, minutes } = this.#reserving;
    const lasting = reservedMinutes(said) ?? own ?? minutes!;
    return new Date(Date.parse(now) + lasting * 60_000).toISOString();
  }
}

/** The line has what it had of its stock, with all that came with another quantity, and is as it was where that is all. */
function restore(line: LineItem, before: Fixed<LineItem>): void {
  const withQuantity =
    line.quantity === before.quantity ? [] : (['priceMode', 'price', 'totalPrice', 'shippingDetails'] as const);
  line.quantity = before.quantity;
  for (const name of ['inventoryMode', 'supplyChannel', 'reservation', ...withQuantity] as const) {
    delete line[name];
    if (before[name] !== undefined) Object.assign(line, { [name]: structuredClone(before[name]) });
  }
  const { lastModifiedAt } = before;
  if (lastModifiedAt !== undefined && isDeepStrictEqual({ ...line, lastModifiedAt }, before))
    line.lastModifiedAt = lastModifiedAt;
}
