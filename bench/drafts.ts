/**
 * `npm run bench -- drafts`: parsing of drafts by the field kinds beside validators that ajv compiles from the schemas of
 * the same kinds, in interleaved rounds of one run. Ajv says whether a draft fits. The kinds also make the value that is
 * stored, with defaults, moments in one form and money with its digits, collect the identifiers to look up, and refuse
 * what cannot be stored: halves of surrogate pairs, integers that JSON does not carry, countries and currencies that do
 * not exist. Predicates and functions are parsed by both. `-- drafts --rounds R --ms N` change the defaults.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parseArgs } from 'node:util';
import { objectSchema, parseObject } from '../src/fields/object.ts';
import { Parsing } from '../src/fields/parsing.ts';
import { parseCartPredicate, parseItemPredicate } from '../src/predicate/cart-predicate.ts';
import { parseScoreFunction } from '../src/pricing/score-function.ts';
import { type DraftCase, draftCases } from './draft-cases.ts';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, ms: { type: 'string', default: '100' } },
});

/** Copies that are measured in turn, so that no draft is known beforehand. */
const copiesCount = 64;

function compiled({ resource }: DraftCase): ValidateFunction {
  const ajv = new Ajv2020({ validateFormats: true });
  ajv.addFormat('date', /^\d{4}-\d{2}-\d{2}$/);
  ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/);
  for (const [language, parse] of Object.entries({
    'cart-predicate': parseCartPredicate,
    'item-predicate': parseItemPredicate,
    'score-function': parseScoreFunction,
  }))
    ajv.addFormat(language, (text) => parse(text) !== undefined);
  return ajv.compile(objectSchema(resource.draft).draft);
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
  const validate = compiled(draftCase);
  return {
    name: draftCase.name,
    text,
    copies: Array.from({ length: copiesCount }, () => JSON.parse(text) as unknown),
    kinds: (draft: unknown): boolean => parses(draftCase, draft),
    ajv: (draft: unknown): boolean => validate(draft),
  };
});

const rounds = Array.from({ length: Number(options.rounds) }, () =>
  contestants.map(({ text, copies, kinds, ajv }) => ({
    kinds: rateOf(kinds, copies),
    ajv: rateOf(ajv, copies),
    json: rateOf(() => JSON.parse(text) !== undefined, copies),
  })),
);
// The first rounds are those in which the code is compiled.
const measured = rounds.slice(Math.ceil(rounds.length / 3));
process.stdout.write(
  '| draft | bytes | kinds/s | ajv/s | kinds : ajv | kinds : JSON.parse |\n|---|---:|---:|---:|---:|---:|\n',
);
for (const [index, { name, text }] of contestants.entries()) {
  const results = measured.map((round) => round[index]!);
  const cells = [
    name,
    text.length,
    Math.round(median(results.map(({ kinds }) => kinds))),
    Math.round(median(results.map(({ ajv }) => ajv))),
    median(results.map(({ kinds, ajv }) => kinds / ajv)).toFixed(2),
    median(results.map(({ kinds, json }) => kinds / json)).toFixed(2),
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
