/**
 * The product discounts that are in force, made ready to be asked about many prices: what they say of variants alone is
 * asked once for each variant. All of them are looked at for each price and predicates are long, so what that takes is
 * weighed before it is begun, and done in turns. No I/O here.
 */
import { invalidOperation } from '../../engine/actions.ts';
import type { Fixed } from '../../engine/document.ts';
import type { CentPrecisionMoney } from '../../money/money.ts';
import type { Predicate } from '../../predicate/ast.ts';
import { compilePredicate } from '../../predicate/compile.ts';
import { valuesIn, stepsByMember } from '../../predicate/steps.ts';
import { discountedValue } from './discounted-value.ts';
import type { ProductDiscount } from './fields.ts';
import { attributesMember, mayBeMany, parseProductPredicate, priceMembers } from './predicate.ts';
import type { DiscountedPrice, PriceSubject } from './subject.ts';
import { factsOfPrice, factsOfVariant, type VariantFacts } from './facts.ts';

type Discount = Fixed<ProductDiscount>;
type SubjectPrice = PriceSubject['price'];

/** What a request gives to look at discounts. */
export interface Discounting {
  /** The moment of the request. */
  readonly now: string;
  /** Waits for a turn of the event loop when such shares make a whole one: see `heavy-turns.ts`. */
  turn(share: number): Promise<void>;
}

/** A variant on one side of its product, with its prices there. */
export interface PricedVariant extends Omit<PriceSubject, 'price'> {
  readonly prices: readonly SubjectPrice[];
}

/** Steps in which a request finds the discounts of its prices: about a second. To compare one member of a price is a step. */
const stepsMax = 20_000_000;
/** Those about one price or variant and one discount, which are taken together: some milliseconds. */
const stepsTogetherMax = 500_000;
/** Steps of a turn: some milliseconds, too. */
const stepsOfTurn = 100_000;
/** In which the facts about a price are put together. */
const stepsOfFacts = 16;
/** In which a character of a predicate is parsed. */
const stepsOfCharacter = 10;

/**
 * For each price of each variant the discounted price of the one discount that holds: among those that are active, valid
 * now, match and fit the price, it is the one with the highest sort order. What a client said of an external discount goes
 * before all others. Undefined where none holds. Throws InvalidOperation where that would take too long.
 */
export async function discountsOf(
  variants: readonly PricedVariant[],
  discounts: readonly Discount[],
  { now, turn }: Discounting,
): Promise<readonly (readonly (DiscountedPrice | undefined)[])[]> {
  const pace: Pace = { turn, steps: 0 };
  const offers: Offer[] = [];
  for (const discount of inOrder(discounts)) {
    if (!isInForce(discount, now)) continue;
    if (!known.has(discount) && isDue(pace, discount.predicate.length * stepsOfCharacter)) await giveWay(pace);
    offers.push(offerOf(discount));
  }
  if (offers.length === 0) return variants.map(({ prices }) => prices.map(() => undefined));
  const measured: Measured = new Map();
  await requireFewSteps(variants, offers, { pace, measured });
  const found = [];
  for (const variant of variants) found.push(await ofVariant(variant, offers, { pace, measured }));
  await giveWay(pace);
  return found;
}

/** The discounted price of one price. */
export async function discountFor(
  { price, ...variant }: PriceSubject,
  discounts: readonly Discount[],
  discounting: Discounting,
): Promise<DiscountedPrice | undefined> {
  const [[found] = []] = await discountsOf([{ ...variant, prices: [price] }], discounts, discounting);
  return found;
}

/** Bounds are half open, as those of prices: the discount holds at its first moment and not at its last. */
function isInForce({ isActive, validFrom, validUntil }: Discount, now: string): boolean {
  return isActive && (validFrom === undefined || validFrom <= now) && (validUntil === undefined || now < validUntil);
}

const orders = new WeakMap<readonly Discount[], readonly Discount[]>();

/** The highest sort order first: as texts they compare like the decimals, none of which ends in 0. */
function inOrder(discounts: readonly Discount[]): readonly Discount[] {
  let ordered = orders.get(discounts);
  if (ordered === undefined) {
    ordered = discounts.toSorted((one, other) => (one.sortOrder < other.sortOrder ? 1 : -1));
    orders.set(discounts, ordered);
  }
  return ordered;
}

/** Statements of a predicate that hold together, and the steps that they take. */
interface Part {
  matches(facts: object): boolean;
  /** For each value of a member that may have many. */
  readonly steps: ReadonlyMap<string, number>;
  /** Where each member has one value. */
  readonly stepsLeast: number;
}

/** A discount in force. */
interface Offer {
  readonly discount: Discount;
  /** Of the amounts that it takes something off; undefined where it is any. */
  readonly currencies: ReadonlySet<string> | undefined;
  /** What its predicate says of variants, whatever the price is. */
  readonly ofVariant: Part;
  /** The rest. */
  readonly ofPrice: Part;
}

const none: ReadonlySet<string> = new Set();

function currenciesOf({ value }: Discount): Offer['currencies'] {
  if (value.type === 'relative') return undefined;
  // The member is that of the form. Of external ones clients say what they make of prices.
  const amounts = value.type === 'absolute' ? (value['money'] as readonly CentPrecisionMoney[]) : undefined;
  return amounts === undefined ? none : new Set(amounts.map(({ currencyCode }) => currencyCode));
}

/** Parsing takes longer than matching by far, and the documents are kept while they do not change. */
const known = new WeakMap<Discount, Offer>();

function offerOf(discount: Discount): Offer {
  let offer = known.get(discount);
  if (offer === undefined) {
    const statements = statementsOf(parseProductPredicate(discount.predicate));
    const isOfPrice = (statement: Predicate): boolean =>
      [...stepsByMember(statement, attributesMember).keys()].some((name) => priceMembers.has(name));
    offer = {
      discount,
      currencies: currenciesOf(discount),
      ofVariant: partOf(statements.filter((statement) => !isOfPrice(statement))),
      ofPrice: partOf(statements.filter(isOfPrice)),
    };
    known.set(discount, offer);
  }
  return offer;
}

/** All of them hold where the predicate does. */
function statementsOf(predicate: Predicate): readonly Predicate[] {
  return predicate.kind === 'all' ? predicate.operands.flatMap(statementsOf) : [predicate];
}

function partOf(operands: readonly Predicate[]): Part {
  const predicate: Predicate = { kind: 'all', operands };
  const all = stepsByMember(predicate, attributesMember);
  const steps = new Map([...all].filter(([name]) => mayBeMany(name)));
  return { matches: compilePredicate(predicate), steps, stepsLeast: sum(all.values()) };
}

function sum(numbers: Iterable<number>): number {
  let result = 0;
  for (const number of numbers) result += number;
  return result;
}

/** The values of the members that have more than one, by the names of the members. */
type Sizes = ReadonlyMap<string, number>;

/** The sizes of values that are objects, of which those of a product's own attributes are in each variant. */
type Measured = Map<object, number>;

function sizesOf({ variant, categories, ancestors }: PricedVariant, measured: Measured): Sizes {
  const sizes = new Map<string, number>();
  const add = (name: string, size: number): void => void (size > 1 && sizes.set(name, size));
  for (const { name, value } of variant.attributes) add(`${attributesMember}.${name}`, sizeOnce(value, measured));
  add(attributesMember, variant.attributes.length);
  add('categories', 2 * categories.length);
  add('categoriesWithAncestors', 2 * (categories.length + ancestors.length));
  return sizes;
}

function sizeOnce(value: unknown, measured: Measured): number {
  if (typeof value !== 'object' || value === null) return 1;
  let size = measured.get(value);
  if (size === undefined) measured.set(value, (size = valuesIn(value)));
  return size;
}

/** What a part takes at most, of which only the members of `sizes` take more than in the least case. */
function stepsIn({ steps, stepsLeast }: Omit<Part, 'matches'>, sizes: Sizes): number {
  let result = stepsLeast;
  // Whichever are fewer.
  if (steps.size < sizes.size) for (const [name, each] of steps) result += each * ((sizes.get(name) ?? 1) - 1);
  else for (const [name, size] of sizes) result += (steps.get(name) ?? 0) * (size - 1);
  return result;
}

/** In which what is known of a variant beside its prices is put together: as many as of facts, for each part of it. */
function stepsOfVariant({ variant, categories, ancestors }: PricedVariant): number {
  return stepsOfFacts * (1 + variant.attributes.length + categories.length + ancestors.length);
}

interface Looking {
  readonly pace: Pace;
  readonly measured: Measured;
}

/** Throws where looking for the discounts of all prices would take too long. */
async function requireFewSteps(
  variants: readonly PricedVariant[],
  offers: readonly Offer[],
  { pace, measured }: Looking,
): Promise<void> {
  const ofVariant = together(offers.map((offer) => offer.ofVariant));
  const ofPrice = together(offers.map((offer) => offer.ofPrice));
  let steps = 0;
  for (const variant of variants) {
    if (isDue(pace, stepsOfVariant(variant))) await giveWay(pace);
    const sizes = sizesOf(variant, measured);
    // Each discount is asked about each price, even where its predicate says nothing of prices.
    steps += offers.length + stepsIn(ofVariant, sizes);
    steps += variant.prices.length * (stepsOfFacts + offers.length + stepsIn(ofPrice, sizes));
  }
  if (steps > stepsMax) {
    const prices = sum(variants.map((variant) => variant.prices.length));
    throw invalidOperation(
      `There are too many prices for the predicates of the product discounts in force: to compare ${prices} prices with ${offers.length} discounts would take up to ${Math.round(steps)} steps, and ${stepsMax} are taken. Fewer prices, or discounts with shorter predicates, are expected.`,
    );
  }
}

function together(parts: readonly Part[]): Omit<Part, 'matches'> {
  const steps = new Map<string, number>();
  for (const part of parts) for (const [name, each] of part.steps) steps.set(name, (steps.get(name) ?? 0) + each);
  return { steps, stepsLeast: sum(parts.map(({ stepsLeast }) => stepsLeast)) };
}

interface Pace {
  turn(share: number): Promise<void>;
  /** Taken since the last turn. */
  steps: number;
}

/** Counts steps that are about to be taken. Tells whether others have to have a turn before. */
function isDue(pace: Pace, steps: number): boolean {
  pace.steps += steps;
  return pace.steps > stepsOfTurn;
}

function giveWay(pace: Pace): Promise<void> {
  const share = pace.steps / stepsOfTurn;
  pace.steps = 0;
  return pace.turn(share);
}

interface Evaluation {
  readonly sizes: Sizes;
  readonly pace: Pace;
}

async function ofVariant(
  variant: PricedVariant,
  offers: readonly Offer[],
  { pace, measured }: Looking,
): Promise<readonly (DiscountedPrice | undefined)[]> {
  if (isDue(pace, stepsOfVariant(variant))) await giveWay(pace);
  const evaluation = { sizes: sizesOf(variant, measured), pace };
  const facts = factsOfVariant(variant);
  const matching: Offer[] = [];
  for (const offer of offers) {
    const isHolding = holds(offer.ofVariant, facts, evaluation);
    // To await what is there costs more than most predicates.
    if (isHolding === true || (isHolding !== false && (await isHolding))) matching.push(offer);
  }
  if (matching.length === 0) return variant.prices.map(() => undefined);
  const found = [];
  for (const price of variant.prices) found.push(await ofPrice(price, { facts, offers: matching, evaluation }));
  return found;
}

interface PriceEvaluation {
  readonly facts: VariantFacts;
  /** Those that match the variant. */
  readonly offers: readonly Offer[];
  readonly evaluation: Evaluation;
}

async function ofPrice(
  price: SubjectPrice,
  { facts: ofVariant, offers, evaluation }: PriceEvaluation,
): Promise<DiscountedPrice | undefined> {
  const { pace } = evaluation;
  if (isDue(pace, stepsOfFacts)) await giveWay(pace);
  const facts = factsOfPrice(ofVariant, price);
  const { value, discounted: given } = price;
  const external =
    given && offers.find(({ discount: { id, value } }) => id === given.discount.id && value.type === 'external');
  if (external !== undefined && (await holds(external.ofPrice, facts, evaluation))) return given;
  for (const { discount, currencies, ofPrice } of offers) {
    if (currencies?.has(value.currencyCode) === false) {
      if (isDue(pace, 1)) await giveWay(pace);
      continue;
    }
    const isHolding = holds(ofPrice, facts, evaluation);
    if (isHolding === true || (isHolding !== false && (await isHolding))) {
      const { id } = discount;
      // It takes something off amounts in this currency.
      return { value: discountedValue(value, discount)!, discount: { typeId: 'product-discount', id } };
    }
  }
  return undefined;
}

/** Whether a part of a predicate says so. A promise where a turn is due before. */
function holds(part: Part, facts: object, { sizes, pace }: Evaluation): boolean | Promise<boolean> {
  const steps = 1 + stepsIn(part, sizes);
  if (steps > stepsTogetherMax)
    throw invalidOperation(
      `A predicate of a product discount says too much of a variant with as many values: it takes up to ${steps} steps, and ${stepsTogetherMax} are taken.`,
    );
  return isDue(pace, steps) ? giveWay(pace).then(() => part.matches(facts)) : part.matches(facts);
}
