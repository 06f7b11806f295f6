/**
 * `npm run bench -- drafts`: parsing of drafts by the field kinds beside validators that ajv compiles from the schemas of
 * the same kinds, in interleaved rounds of one run. Ajv says whether a draft fits. The kinds also make the value that is
 * stored, with defaults, ids, moments in one form and money with its digits, and collect the identifiers to look up.
 * They refuse texts that cannot be stored and countries that do not exist, which no schema says: `checked` is ajv with
 * these two checks as formats. Predicates are parsed by all. `-- drafts --rounds R --ms N` change the defaults.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parseArgs } from 'node:util';
import { isCountryCode } from '../src/fields/country.ts';
import type { JsonSchema } from '../src/fields/field.ts';
import { isObject, objectSchema, parseObject } from '../src/fields/object.ts';
import { Parsing } from '../src/fields/parsing.ts';
import { country } from '../src/fields/scalar.ts';
import {
  parseCartPredicate,
  parseCustomLineItemPredicate,
  parseLineItemPredicate,
} from '../src/resources/cart/predicate.ts';
import { unstorableIndex } from '../src/predicate/lexer.ts';
import { parseScoreFunction } from '../src/pricing/score-function.ts';
import { type DraftCase, draftCases } from './draft-cases.ts';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, ms: { type: 'string', default: '100' } },
});

/** Copies that are measured in turn, so that no draft is known beforehand. */
const copiesCount = 64;

const languages = {
  'cart-predicate': parseCartPredicate,
  'line-item-predicate': parseLineItemPredicate,
  'custom-line-item-predicate': parseCustomLineItemPredicate,
  'score-function': parseScoreFunction,
};

function compiled(schema: JsonSchema): ValidateFunction {
  const ajv = new Ajv2020();
  ajv.addFormat('date', /^\d{4}-\d{2}-\d{2}$/);
  ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/);
  ajv.addFormat('storable', (text) => unstorableIndex(text) < 0);
  ajv.addFormat('country', isCountryCode);
  for (const [language, parse] of Object.entries(languages))
    ajv.addFormat(language, (text) => parse(text) !== undefined);
  return ajv.compile(schema);
}

const countryPattern = country().schema.draft['pattern'];

/** The schema with formats for what the kinds check of countries and of texts of any form. */
function withChecks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withChecks);
  if (!isObject(value)) return value;
  const { type, pattern, format } = value;
  if (type === 'string' && pattern === countryPattern) return { type, format: 'country' };
  const isFree =
    type === 'string' && pattern === undefined && format === undefined && !('enum' in value || 'const' in value);
  if (isFree) return { type, format: 'storable' };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withChecks(member)]));
}

function parses({ resource }: DraftCase, draft: unknown): boolean {
  const parsing = new Parsing();
  const value = parseObject(resource.draft, draft, parsing);
  parsing.settle();
  return value !== undefined;
}

/** Times a second that `work` is done on the copies in turn. */
function rateOf(work: (draft: unknown) => boolean, copies: readonly unknown[]): number {
  const startedAtMs = performance.now();
  const untilMs = startedAtMs + Number(options.ms);
  let done = 0;
  while (performance.now() < untilMs) {
    for (const copy of copies) if (!work(copy)) throw new Error('A draft of the benchmark is refused.');
    done += copies.length;
  }
  return (done / (performance.now() - startedAtMs)) * 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

const contestants = draftCases.map((draftCase) => {
  const text = JSON.stringify(draftCase.draft);
  const schema = objectSchema(draftCase.resource.draft).draft;
  const validate = compiled(schema);
  // A schema stays one.
  const check = compiled(withChecks(schema) as JsonSchema);
  return {
    name: draftCase.name,
    text,
    copies: Array.from({ length: copiesCount }, () => JSON.parse(text) as unknown),
    kinds: (draft: unknown): boolean => parses(draftCase, draft),
    ajv: (draft: unknown): boolean => validate(draft),
    checked: (draft: unknown): boolean => check(draft),
  };
});

const rounds = Array.from({ length: Number(options.rounds) }, () =>
  contestants.map(({ text, copies, kinds, ajv, checked }) => ({
    kinds: rateOf(kinds, copies),
    ajv: rateOf(ajv, copies),
    checked: rateOf(checked, copies),
    json: rateOf(() => JSON.parse(text) !== undefined, copies),
  })),
);
// The first rounds are those in which the code is compiled.
const measured = rounds.slice(Math.ceil(rounds.length / 3));
process.stdout.write(
  '| draft | bytes | kinds/s | ajv/s | kinds : ajv | kinds : checked | kinds : JSON.parse |\n|---|---:|---:|---:|---:|---:|---:|\n',
);
for (const [index, { name, text }] of contestants.entries()) {
  const results = measured.map((round) => round[index]!);
  const cells = [
    name,
    text.length,
    Math.round(median(results.map(({ kinds }) => kinds))),
    Math.round(median(results.map(({ ajv }) => ajv))),
    median(results.map(({ kinds, ajv }) => kinds / ajv)).toFixed(2),
    median(results.map(({ kinds, checked }) => kinds / checked)).toFixed(2),
    median(results.map(({ kinds, json }) => kinds / json)).toFixed(2),
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
