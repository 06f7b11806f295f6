/**
 * Holds the variants of one side of a product to their constraints after each action of a request, at the cost of what the
 * action has changed: of each definition it is counted how many variants have which value. What is broken is told by
 * `requireConstraints`, which looks at all of it.
 */
import { invalidOperation } from '../../engine/actions.ts';
import type { Attribute } from './attribute-type.ts';
import { comparable, type Definitions, requireConstraints } from './constraints.ts';
import type { AttributeDefinition } from './fields.ts';

/** A variant of which a list of attributes is never changed: another list takes its place. */
export interface ConstrainedVariant {
  readonly id: number;
  readonly attributes: readonly Attribute[];
}

/** Values of attributes that the actions of a request may bring and take, on both sides: they are told about a second long. */
export const changedValuesMax = 2_000_000;

/** What the actions of a request have changed so far. */
export interface ChangedValues {
  count: number;
}

/** What has become of a variant since the action before. */
interface Difference {
  readonly id: number;
  readonly gone: readonly Attribute[];
  readonly come: readonly Attribute[];
}

export class ConstraintHistory {
  readonly #definitions: Definitions;
  readonly #changed: ChangedValues;
  readonly #tallies: ReadonlyMap<string, Tally>;
  readonly #sameForAll: readonly Tally[];
  /** The lists of the variants after the last action, by the ids of the variants. */
  #last: ReadonlyMap<number, readonly Attribute[]> = new Map();
  readonly #variants = new Map<number, Counted>();
  /** How many variants have which combination. */
  readonly #combinations = new Map<number, number>();
  readonly #texts = new WeakMap<Attribute, string>();
  /** Names of definitions that are broken. */
  readonly #broken = new Set<string>();
  #repeatedCombinations = 0;

  constructor(definitions: Definitions, changed: ChangedValues = { count: 0 }) {
    this.#definitions = definitions;
    this.#changed = changed;
    const constrained = [...definitions.values()].filter(({ attributeConstraint }) => attributeConstraint !== 'None');
    this.#tallies = new Map(constrained.map((definition) => [definition.name, newTally(definition)]));
    this.#sameForAll = [...this.#tallies.values()].filter(
      ({ definition }) => definition.attributeConstraint === 'SameForAll',
    );
  }

  /**
   * Takes the variants as an action leaves them. Gives what throws all that is broken at that moment, which is called in the
   * order of the actions when the references in values are known: only then do these tell whether they are the same.
   */
  after(variants: readonly ConstrainedVariant[]): () => void {
    if (this.#tallies.size === 0) return () => {};
    const ids = variants.map(({ id }) => id);
    const differences = variants.flatMap(({ id, attributes }) => this.#difference(id, attributes) ?? []);
    this.#last = new Map(variants.map(({ id, attributes }) => [id, attributes]));
    return () => this.#require(ids, differences);
  }

  #difference(id: number, attributes: readonly Attribute[]): Difference | undefined {
    const before = this.#last.get(id);
    if (before === attributes) return undefined;
    const { gone, come } = differenceOf(before ?? [], attributes);
    this.#changed.count += gone.length + come.length;
    if (this.#changed.count > changedValuesMax)
      throw invalidOperation(
        `The actions change too many values of attributes in variants: at most ${changedValuesMax} values come and go in an update.`,
      );
    const isConstrained = ({ name }: Attribute): boolean => this.#tallies.has(name);
    return { id, gone: gone.filter(isConstrained), come: come.filter(isConstrained) };
  }

  #require(ids: readonly number[], differences: readonly Difference[]): void {
    const countBefore = this.#variants.size;
    const present = new Set(ids);
    for (const [id, { values }] of this.#variants) {
      if (present.has(id)) continue;
      this.#apply({ id, gone: [...values.values()], come: [] });
      this.#variants.delete(id);
    }
    for (const { id } of differences) if (!this.#variants.has(id)) this.#variants.set(id, newCounted());
    for (const difference of differences) this.#apply(difference);
    // Absence is a value of what is the same for all.
    if (this.#variants.size !== countBefore) for (const tally of this.#sameForAll) this.#judge(tally);
    if (this.#broken.size === 0 && this.#repeatedCombinations === 0) return;
    requireConstraints(
      this.#definitions,
      ids.map((id) => ({ attributes: [...this.#variants.get(id)!.values.values()] })),
    );
  }

  #apply({ id, gone, come }: Difference): void {
    const variant = this.#variants.get(id)!;
    this.#countCombination(variant, -1);
    for (const attribute of gone) {
      variant.values.delete(attribute.name);
      this.#count(variant, attribute, -1);
    }
    for (const attribute of come) {
      variant.values.set(attribute.name, attribute);
      this.#count(variant, attribute, 1);
    }
    this.#countCombination(variant, 1);
  }

  #count(variant: Counted, attribute: Attribute, by: 1 | -1): void {
    // Others are left out of differences.
    const tally = this.#tallies.get(attribute.name)!;
    const value = valueIn(tally, this.#textOf(attribute, tally));
    if (tally.definition.attributeConstraint === 'CombinationUnique') {
      variant.combined += by;
      variant.high ^= value.high;
      variant.low ^= value.low;
      return;
    }
    value.count += by;
    tally.count += by;
    if (value.count === (by === 1 ? 1 : 0)) tally.different += by;
    if (value.count === (by === 1 ? 2 : 1)) tally.repeated += by;
    this.#judge(tally);
  }

  #textOf(attribute: Attribute, { definition }: Tally): string {
    let text = this.#texts.get(attribute);
    if (text === undefined) this.#texts.set(attribute, (text = comparable(attribute.value, definition.type)));
    return text;
  }

  #judge({ definition: { name, attributeConstraint }, different, repeated, count }: Tally): void {
    const isBroken =
      attributeConstraint === 'Unique'
        ? repeated > 0
        : different > 1 || (different === 1 && count < this.#variants.size);
    if (isBroken) this.#broken.add(name);
    else this.#broken.delete(name);
  }

  /** Variants with none of the attributes are left out. */
  #countCombination({ combined, high, low }: Counted, by: 1 | -1): void {
    if (combined === 0) return;
    const name = (high >>> 0) * 2 ** lowBits + low;
    const count = (this.#combinations.get(name) ?? 0) + by;
    if (count === 0) this.#combinations.delete(name);
    else this.#combinations.set(name, count);
    if (count === (by === 1 ? 2 : 1)) this.#repeatedCombinations += by;
  }
}

/** What is counted of a definition. */
interface Tally {
  readonly definition: AttributeDefinition;
  readonly values: Map<string, CountedValue>;
  /** Variants that have a value. */
  count: number;
  /** Values that any have, and those that several have. */
  different: number;
  repeated: number;
}

interface CountedValue {
  count: number;
  /** Random bits, by which combinations are told apart. */
  readonly high: number;
  readonly low: number;
}

interface Counted {
  /** By their names. */
  readonly values: Map<string, Attribute>;
  /** Attributes of the combination that the variant has. */
  combined: number;
  /** All bits of these, each flipped as often as a value has it: two combinations have the same by chance alone. */
  high: number;
  low: number;
}

const highBits = 32;
/** Together they make an exact number. */
const lowBits = 20;

function newTally(definition: AttributeDefinition): Tally {
  return { definition, values: new Map(), count: 0, different: 0, repeated: 0 };
}

function newCounted(): Counted {
  return { values: new Map(), combined: 0, high: 0, low: 0 };
}

function valueIn({ values }: Tally, text: string): CountedValue {
  let value = values.get(text);
  if (value === undefined) {
    const [high, low] = [highBits, lowBits].map((bits) => Math.floor(Math.random() * 2 ** bits));
    values.set(text, (value = { count: 0, high: high!, low: low! }));
  }
  return value;
}

/** What stands between the parts that two lists begin and end with alike. */
function differenceOf(
  before: readonly Attribute[],
  after: readonly Attribute[],
): { readonly gone: readonly Attribute[]; readonly come: readonly Attribute[] } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { gone: before.slice(start, before.length - end), come: after.slice(start, after.length - end) };
}
