/**
 * The languages of product search, and the flat form in which products are searched: one tree of conditions for both
 * languages, so that what judges them is written once. Knows paths, values and texts of requests. No I/O, no SQL and no
 * search engine here.
 *
 * A condition speaks of a product, which has variants, which have prices. A test says at which of the three its path
 * leads to values:
 *
 *     product ── values by path, and texts by locale
 *       └ variant ── values by path, and texts by locale
 *           └ price ── values by path
 *
 * The parsers make an `Expression`, in which tests of all three stand side by side. `judgedAt` makes a `Condition` of it
 * by adding `some`: who judges goes from a product to its variants only there, and what is below a `some` is met by one
 * variant, or by one price, as a whole. At a variant the tests of products are judged by its product, so an expression can
 * also be asked of each variant, such as which of them match.
 */
import type { Path, Scope } from './path.ts';
import type { Scalar } from './values.ts';
import type { Word } from './words.ts';

/** Combines the conditions of a request, or of a part of it. Without operands `all` and `none` are true, `any` is false. */
interface Combined<Operand> {
  readonly kind: 'all' | 'any' | 'none';
  readonly operands: readonly Operand[];
}

/** What a request says. */
export type Expression = Combined<Expression> | Test;

/** What is judged, with the places at which variants and prices are picked. */
export type Condition =
  | Combined<Condition>
  | { readonly kind: 'some'; readonly scope: 'variant' | 'price'; readonly condition: Condition }
  | Test;

/** Of a path with several values a test holds when it holds for one of them; of one without any, never. */
export type Test = (
  | { readonly kind: 'in'; readonly path: Path; readonly values: readonly Scalar[]; readonly foldsCase: boolean }
  | { readonly kind: 'range'; readonly path: Path; readonly bounds: Bounds }
  | { readonly kind: 'exists'; readonly path: Path }
  | { readonly kind: 'prefix'; readonly path: Path; readonly text: string; readonly foldsCase: boolean }
  /** In the pattern `*` stands for any characters and `?` for one; there is no way to write them as themselves. */
  | { readonly kind: 'wildcard'; readonly path: Path; readonly pattern: string; readonly foldsCase: boolean }
  | WordsTest
  | FullTextTest
  /** What is judged, the very variant or price, does not pass the test; `none` is said of all that is in it. */
  | { readonly kind: 'not'; readonly test: Test }
) &
  Weighted;

/** Words in the values of one path, all of which are looked through together. No words are found nowhere. */
export interface WordsTest {
  readonly kind: 'words';
  readonly path: Path;
  readonly words: readonly Word[];
  readonly mustMatch: 'all' | 'any';
  /** Each is the beginning of a word that is looked for. */
  readonly isPrefix: boolean;
}

/** Each word occurs in a text of this locale, or of none, of the variant or of its product. */
export interface FullTextTest {
  readonly kind: 'fullText';
  readonly locale: string;
  readonly words: readonly Word[];
}

/** How much a test counts in the score of a product; 1 where nothing is said, and 0 where it only selects. */
interface Weighted {
  readonly boost?: number;
}

/** All that are there hold. The values are those of `typedValue`, which compare as documents hold them. */
export interface Bounds {
  readonly gt?: Scalar;
  readonly gte?: Scalar;
  readonly lt?: Scalar;
  readonly lte?: Scalar;
}

/** Where a test is judged: where its path leads to values, and full text at variants. */
export function scopeOf(test: Test): Scope {
  switch (test.kind) {
    case 'fullText':
      return 'variant';
    case 'not':
      return scopeOf(test.test);
    default:
      return test.path.scope;
  }
}

/**
 * The condition under which a product, a variant or a price meets the expression. What is said of variants in one `all`
 * holds for one variant, and of prices for one price, also where one `all` stands in another, or an `any` speaks of
 * variants alone (catalog 61, 67). What `none` names is nowhere in what is judged: of a product, in no variant.
 */
export function judgedAt(expression: Expression, scope: Scope): Condition {
  return lifted(scoped(expression, scope), scope);
}

/** The same as something that only selects, and counts nothing in the score. */
export function unweighted(expression: Expression): Expression {
  if ('operands' in expression) return { ...expression, operands: expression.operands.map(unweighted) };
  return { ...expression, boost: 0 };
}

/** Whether the expression says anything of variants or prices. */
export function speaksOfVariants(expression: Expression): boolean {
  switch (expression.kind) {
    case 'all':
    case 'any':
    case 'none':
      return expression.operands.some(speaksOfVariants);
    default:
      return scopeOf(expression) !== 'product';
  }
}

interface Scoped {
  readonly scope: Scope;
  readonly condition: Condition;
}

const depths: Readonly<Record<Scope, number>> = { product: 0, variant: 1, price: 2 };

export function isBelow(one: Scope, other: Scope): boolean {
  return depths[one] > depths[other];
}

/** The condition, and where it has to be judged: at `base`, or at something below it. */
function scoped(expression: Expression, base: Scope): Scoped {
  switch (expression.kind) {
    case 'all':
      return allOf(
        flattened(expression.operands).map((operand) => scoped(operand, base)),
        base,
      );
    case 'any': {
      const operands = expression.operands.map((operand) => scoped(operand, base));
      const [first = base, ...others] = operands.map(({ scope }) => scope);
      const scope = others.reduce((one, other) => (isBelow(one, other) ? other : one), first);
      return { scope, condition: combined('any', operands, scope) };
    }
    case 'none': {
      const operands = expression.operands.map((operand) => scoped(operand, base));
      return { scope: base, condition: combined('none', operands, base) };
    }
    default: {
      const scope = scopeOf(expression);
      return { scope: isBelow(scope, base) ? scope : base, condition: expression };
    }
  }
}

/** An `all` within an `all` says the same as its operands. */
function flattened(operands: readonly Expression[]): readonly Expression[] {
  return operands.flatMap((operand) => (operand.kind === 'all' ? flattened(operand.operands) : [operand]));
}

/** From the innermost scope outwards, what is of one scope is joined before it is lifted to the next. */
function allOf(operands: readonly Scoped[], base: Scope): Scoped {
  let joined: Scoped | undefined;
  for (const scope of ['price', 'variant', 'product'] as const) {
    const here = operands.filter((operand) => operand.scope === scope);
    if (here.length === 0) continue;
    const all = joined === undefined ? here : [...here, joined];
    joined = { scope, condition: combined('all', all, scope) };
  }
  return joined ?? { scope: base, condition: { kind: 'all', operands: [] } };
}

function combined(kind: Combined<Condition>['kind'], operands: readonly Scoped[], scope: Scope): Condition {
  const conditions = operands.map((operand) => lifted(operand, scope));
  return conditions.length === 1 && kind !== 'none' ? conditions[0]! : { kind, operands: conditions };
}

/** The same condition as one that is judged at `scope`. */
function lifted({ scope: from, condition }: Scoped, scope: Scope): Condition {
  if (!isBelow(from, scope)) return condition;
  if (from === 'price' && scope === 'product') return some('variant', some('price', condition));
  return some(from === 'price' ? 'price' : 'variant', condition);
}

function some(scope: 'variant' | 'price', condition: Condition): Condition {
  return { kind: 'some', scope, condition };
}
