import type { Scalar } from '../product-search/values.ts';
import { Bits, type ReadonlyBits } from './bits.ts';
import { Breath } from './breath.ts';
import { type Chosen, countFirst, Dictionary, inOrder } from './dictionary.ts';

/** Where fewer units than one in so many have values, places are looked for in place of being known. */
const sparseRatio = 4;
/** What it costs to look for a unit, in pairs that are looked at. */
const lookupCost = 16;
/** Up to here it is cheaper to go through what holds each value. */
const listedMax = 16;

/** For each value, in the order of ordinals, the units that hold it. */
interface Listed {
  /** Where the units of an ordinal begin, and where the last ones end. */
  readonly starts: Uint32Array;
  readonly units: Uint32Array;
}

interface Pairs {
  readonly units: Uint32Array;
  readonly ordinals: Uint32Array;
}

/** The values of one path: pairs of a unit, such as a variant by its number, and the ordinal of a value that it holds. */
export class Column {
  readonly dictionary: Dictionary;
  /** How many units there are, with and without values. */
  readonly unitCount: number;
  /** In ascending order; undefined where each unit has one value, so that its pair has its number. */
  readonly #units: Uint32Array | undefined;
  readonly #ordinals: Uint32Array;
  /** Where the pairs of each unit begin, and where the last one ends; made when it is needed. */
  #starts: Uint32Array | undefined;
  #listed: Listed | undefined;
  readonly #derived = new Map<string, { readonly made: Promise<Column>; column?: Column }>();

  private constructor(dictionary: Dictionary, unitCount: number, { units, ordinals }: Pairs) {
    this.dictionary = dictionary;
    this.unitCount = unitCount;
    this.#units = units.length === unitCount && units.every((unit, index) => unit === index) ? undefined : units;
    this.#ordinals = ordinals;
  }

  /** `units` are in ascending order, each as often as it has values. */
  static of(units: readonly number[], values: readonly Scalar[], unitCount: number): Column {
    const making = Column.making(units, values, unitCount);
    for (;;) {
      const step = making.next();
      if (step.done === true) return step.value;
    }
  }

  /** The same in steps, for who has to give way. */
  static *making(units: readonly number[], values: readonly Scalar[], unitCount: number): Generator<void, Column> {
    const different = new Set(values);
    yield;
    const sorted = inOrder(different);
    yield;
    const dictionary = Dictionary.of(sorted);
    yield;
    const ordinalOf = new Map<Scalar, number>();
    for (let ordinal = 0; ordinal < sorted.length; ordinal += 1) ordinalOf.set(sorted[ordinal]!, ordinal);
    yield;
    const ordinals = Uint32Array.from(values, (value) => ordinalOf.get(value)!);
    return new Column(dictionary, unitCount, { units: Uint32Array.from(units), ordinals });
  }

  /**
   * One column of several, in steps. Their units have these numbers in it; those whose number is negative are left out, with
   * their values.
   */
  static *merged(
    parts: readonly { readonly column: Column; readonly numbers: Int32Array }[],
    unitCount: number,
  ): Generator<void, Column> {
    let length = 0;
    const chosen: Chosen[] = [];
    for (const { column, numbers } of parts) {
      const ordinals = new Bits(column.dictionary.size);
      column.eachPair((unit, ordinal) => {
        if (numbers[unit]! < 0) return;
        ordinals.add(ordinal);
        length += 1;
      });
      chosen.push({ dictionary: column.dictionary, ordinals });
      yield;
    }
    const { dictionary, places } = yield* Dictionary.merged(chosen);
    const pairs = { units: new Uint32Array(length), ordinals: new Uint32Array(length) };
    let end = 0;
    for (const [index, { column, numbers }] of parts.entries()) {
      column.eachPair((unit, ordinal) => {
        if (numbers[unit]! < 0) return;
        pairs.units[end] = numbers[unit]!;
        pairs.ordinals[end] = places[index]![ordinal]!;
        end += 1;
      });
      yield;
    }
    return new Column(dictionary, unitCount, pairs);
  }

  /** All pairs, by units. */
  eachPair(visit: (unit: number, ordinal: number) => void): void {
    const [units, ordinals] = [this.#units, this.#ordinals];
    for (let index = 0; index < ordinals.length; index += 1) visit(units?.[index] ?? index, ordinals[index]!);
  }

  /** The pairs of these units, by units. */
  each(within: ReadonlyBits, visit: (unit: number, ordinal: number) => void): void {
    const [units, ordinals] = [this.#units, this.#ordinals];
    if (units === undefined) return within.each((unit) => visit(unit, ordinals[unit]!));
    if (units.length * sparseRatio < this.unitCount && within.count * lookupCost > units.length) {
      for (let index = 0; index < units.length; index += 1)
        if (within.has(units[index]!)) visit(units[index]!, ordinals[index]!);
      return;
    }
    within.each((unit) => {
      const [from, to] = this.#pairsOf(unit);
      for (let index = from; index < to; index += 1) visit(unit, ordinals[index]!);
    });
  }

  /** The ordinal of the first value that a unit has. */
  firstAt(unit: number): number | undefined {
    const [from, to] = this.#pairsOf(unit);
    return from < to ? this.#ordinals[from] : undefined;
  }

  /** Of these units those that hold one of these values. */
  holding(ordinals: ReadonlyBits, within: ReadonlyBits): Bits {
    const found = new Bits(this.unitCount);
    if (ordinals.count <= listedMax) {
      const { starts, units } = (this.#listed ??= this.#list());
      ordinals.each((ordinal) => {
        for (let index = starts[ordinal]!; index < starts[ordinal + 1]!; index += 1) {
          const unit = units[index]!;
          if (within.has(unit)) found.add(unit);
        }
      });
    } else
      this.each(within, (unit, ordinal) => {
        if (ordinals.has(ordinal)) found.add(unit);
      });
    return found;
  }

  /** Of these units those that have a value. */
  holders(within: ReadonlyBits): Bits {
    const found = new Bits(this.unitCount);
    this.each(within, (unit) => found.add(unit));
    return found;
  }

  /** The values that these units have. */
  ordinalsOf(within: ReadonlyBits): Bits {
    const found = new Bits(this.dictionary.size);
    this.each(within, (_, ordinal) => found.add(ordinal));
    return found;
  }

  /**
   * What follows from each text, such as its words. Its units are the ordinals of this column; kept under its name. It is made
   * once, for all who wait for it, and to the end, whoever does not want it any more.
   */
  async derived(name: string, derive: (text: string) => readonly string[]): Promise<Column> {
    const kept = this.#derived.get(name);
    if (kept !== undefined) return kept.column ?? kept.made;
    const deriving: { readonly made: Promise<Column>; column?: Column } = { made: this.#derive(derive) };
    this.#derived.set(name, deriving);
    return (deriving.column = await deriving.made);
  }

  async #derive(derive: (text: string) => readonly string[]): Promise<Column> {
    const breath = new Breath(Infinity);
    const units: number[] = [];
    const values: string[] = [];
    await breath.steps(...this.dictionary.texts, (from, to) => {
      for (let ordinal = from; ordinal < to; ordinal += 1) {
        for (const value of new Set(derive(String(this.dictionary.at(ordinal))))) {
          units.push(ordinal);
          values.push(value);
        }
      }
    });
    return breath.through(Column.making(units, values, this.dictionary.size));
  }

  /** Outside of the heap, as far as they are there at the moment. */
  get bytes(): number {
    const arrays = [this.#ordinals, this.#units, this.#starts, this.#listed?.starts, this.#listed?.units];
    const own = arrays.reduce((sum, array) => sum + (array?.byteLength ?? 0), this.dictionary.bytes);
    return [...this.#derived.values()].reduce((sum, { column }) => sum + (column?.bytes ?? 0), own);
  }

  #pairsOf(unit: number): readonly [from: number, to: number] {
    const units = this.#units;
    if (units === undefined) return [unit, unit + 1];
    if (units.length * sparseRatio >= this.unitCount) {
      const starts = (this.#starts ??= startsOf(units, this.unitCount));
      return [starts[unit]!, starts[unit + 1]!];
    }
    const from = countFirst(units.length, (index) => units[index]! < unit);
    let to = from;
    while (units[to] === unit) to += 1;
    return [from, to];
  }

  #list(): Listed {
    const starts = startsOf(this.#ordinals, this.dictionary.size);
    const next = starts.slice();
    const units = new Uint32Array(this.#ordinals.length);
    this.eachPair((unit, ordinal) => {
      units[next[ordinal]!] = unit;
      next[ordinal]! += 1;
    });
    return { starts, units };
  }
}

/** Where each of so many numbers begins in a list, when it is in order, and where the last one ends. */
function startsOf(numbers: Uint32Array, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1);
  for (const number of numbers) starts[number + 1]! += 1;
  for (let number = 0; number < count; number += 1) starts[number + 1]! += starts[number]!;
  return starts;
}
