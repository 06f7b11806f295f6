import type { ExpansionPath, ExpansionSegment } from '../predicate/expand.ts';
import { isObject } from '../fields/object.ts';
import type { AnswerBudget } from './answer-budget.ts';
import type { RequestContext } from './context.ts';
import type { Engine, Resource } from './resource.ts';
import type { Document } from './document.ts';
import { apiError } from '../errors/api-error.ts';
import { bytesTurn, shareOfTurn } from './heavy-turns.ts';
import { documentOf } from './json.ts';
import type { Stored } from './store.ts';
import { sightOf } from './visibility.ts';

/** What is put into one answer, and who asks for it. */
export interface Expansion {
  readonly context: RequestContext;
  readonly documents: readonly Document[];
  /** The kind of the documents, where it is known. */
  readonly resource?: Resource | undefined;
  readonly paths: readonly ExpansionPath[];
  /** What the answer may still hold. */
  readonly budget: AnswerBudget;
}

/** Paths that begin with the same segments have one branch as far as they are the same. */
interface Branch {
  readonly segment: ExpansionSegment;
  readonly branches: Map<string, Branch>;
}

/** Values that a branch starts from, with how often the answer has each: what is expanded is shared, and written anew each time. */
interface Front {
  readonly branch: Branch;
  readonly values: ReadonlyMap<unknown, number>;
}

type Reference = Record<string, unknown> & { readonly typeId: string; readonly id: string };

/** The references that one branch leads to. */
interface Level {
  readonly branch: Branch;
  readonly values: ReadonlyMap<unknown, number>;
  readonly references: ReadonlyMap<Reference, number>;
}

/** Resources that are read at a time, so that what they take is counted before more are read. */
const readMax = 500;
/** Values that are looked at for one answer, along all paths. */
const stepsMax = 500_000;
/** As many as take a millisecond or two. */
const heavySteps = 5000;

/** Documents whose parts may show more, with their kinds. */
type Kinds = Map<unknown, Resource>;

/** Counts the values that are looked at, whether or not they lead to a reference. */
class Steps {
  readonly #context: RequestContext;
  #taken = 0;

  constructor(context: RequestContext) {
    this.#context = context;
  }

  /** Throws InvalidInput before there are too many. */
  take(count: number): void {
    this.#taken += count;
    if (this.#taken > stepsMax)
      throw apiError('InvalidInput', `The paths of expand lead through more than ${stepsMax} values. Expand less.`);
  }

  /** For so many of them. */
  turn(count: number): Promise<void> {
    return shareOfTurn(this.#context, count / heavySteps);
  }
}

/**
 * Puts `obj` into the references that the paths lead to, level by level, each level read at once. A reference whose
 * target is gone, or is not there for who asks, keeps no `obj`; one in a free value may have been stored with an old one. Changes the documents, which must be the caller's own.
 * Throws InvalidInput where the answer would be too large.
 */
export async function expand(engine: Engine, expansion: Expansion): Promise<void> {
  const { documents, paths } = expansion;
  const roots = new Map(documents.map((document): [unknown, number] => [document, 1]));
  const steps = new Steps(expansion.context);
  const { resource } = expansion;
  const kinds: Kinds = new Map(
    resource?.expansions === undefined ? [] : documents.map((document) => [document, resource]),
  );
  let fronts: readonly Front[] = [...branchesOf(paths).values()].map((branch) => ({ branch, values: roots }));
  while (fronts.length > 0) {
    const levels: Level[] = [];
    for (const front of fronts) {
      if (kinds.size > 0) await fillParts(engine, expansion, { front, kinds, steps });
      levels.push(await levelOf(front, steps));
    }
    await fill(engine, expansion, { levels, kinds });
    fronts = levels.flatMap(({ branch, values }) => {
      if (branch.branches.size === 0) return [];
      const inside = insideOf(values);
      return [...branch.branches.values()].map((next) => ({ branch: next, values: inside }));
    });
  }
}

function branchesOf(paths: readonly ExpansionPath[]): ReadonlyMap<string, Branch> {
  const roots = new Map<string, Branch>();
  for (const { segments } of paths) {
    let branches = roots;
    for (const segment of segments) {
      const name = `${segment.name}[${segment.indexes.join('][')}]`;
      let branch = branches.get(name);
      if (branch === undefined) branches.set(name, (branch = { segment, branches: new Map<string, Branch>() }));
      branches = branch.branches;
    }
  }
  return roots;
}

async function levelOf({ branch, values: from }: Front, steps: Steps): Promise<Level> {
  const values = new Map<unknown, number>();
  for (const [value, count] of from) {
    const reached = step(value, branch.segment, steps);
    await steps.turn(1 + reached.length);
    for (const found of reached) values.set(found, (values.get(found) ?? 0) + count);
  }
  const references = [...values].filter(([value]) => isReference(value));
  return { branch, values, references: new Map(references as [Reference, number][]) };
}

function step(value: unknown, segment: ExpansionSegment, steps: Steps): readonly unknown[] {
  steps.take(1);
  if (!isObject(value)) return [];
  let values: readonly unknown[] = Object.hasOwn(value, segment.name) ? [value[segment.name]] : [];
  for (const index of segment.indexes) {
    const lists = values.filter((list) => Array.isArray(list)) as readonly (readonly unknown[])[];
    steps.take(lists.reduce((sum, list) => sum + (index === '*' ? list.length : 1), 0));
    values = index === '*' ? lists.flat() : lists.map((list) => list[index]);
  }
  // What has no members leads nowhere, and equal texts would count as one value.
  return values.filter((found) => typeof found === 'object' && found !== null);
}

/** A path goes on inside the object that a reference led to. */
function insideOf(values: Level['values']): Front['values'] {
  const inside = new Map<unknown, number>();
  for (const [value, count] of values) {
    const next = isReference(value) ? (value['obj'] ?? value) : value;
    inside.set(next, (inside.get(next) ?? 0) + count);
  }
  return inside;
}

function isReference(value: unknown): value is Reference {
  return isObject(value) && typeof value['typeId'] === 'string' && typeof value['id'] === 'string';
}

/** References to one target: those share a document to which the same branches lead, for paths go on in each alike. */
interface Target {
  readonly typeId: string;
  readonly id: string;
  readonly references: Map<string, Reference[]>;
  count: number;
}

/** A part that is to show members of another resource, as often as the answer has it. */
interface Part {
  readonly part: Record<string, unknown>;
  readonly count: number;
  readonly members: readonly string[];
  readonly expansions: NonNullable<Resource['expansions']>;
}

/** Puts into the parts of documents what the branches behind them ask for of other resources. Paths go on in that. */
async function fillParts(
  engine: Engine,
  expansion: Expansion,
  { front, kinds, steps }: { readonly front: Front; readonly kinds: Kinds; readonly steps: Steps },
): Promise<void> {
  const parts = partsOf(front, kinds);
  steps.take(parts.length);
  const byTarget = new Map<string, { readonly lookup: { kind: string; id: string }; readonly parts: Part[] }>();
  for (const part of parts) {
    const lookup = { kind: part.expansions.kind, id: part.expansions.targetOf(part.part) };
    const name = `${lookup.kind}/${lookup.id}`;
    const target = byTarget.get(name) ?? { lookup, parts: [] };
    target.parts.push(part);
    byTarget.set(name, target);
  }
  const targets = [...byTarget.values()];
  for (let start = 0; start < targets.length; start += readMax) {
    const some = targets.slice(start, start + readMax);
    const found = await engine.store.find(
      expansion.context.project.key,
      some.map(({ lookup }) => lookup),
    );
    for (const [index, target] of some.entries()) {
      const stored = found[index];
      if (stored === undefined) continue;
      await bytesTurn(expansion.context, stored.json.length);
      for (const part of target.parts) putMembers(part, documentOf(stored.json), expansion.budget);
    }
  }
}

function partsOf({ branch: { segment, branches }, values }: Front, kinds: Kinds): readonly Part[] {
  const asked = [...branches.values()].map((next) => next.segment);
  return [...values].flatMap(([value, count]): readonly Part[] => {
    const expansions = kinds.get(value)?.expansions;
    if (expansions?.list !== segment.name || segment.indexes.join() !== '*') return [];
    const members = asked.map(({ name }) => name).filter((name) => Object.hasOwn(expansions.members, name));
    // Declared lists hold objects.
    const list = (value as Readonly<Record<string, unknown>>)[segment.name] as Record<string, unknown>[];
    return members.length === 0 ? [] : list.map((part) => ({ part, count, members, expansions }));
  });
}

/** Each part has its own, in which references may be expanded. */
function putMembers({ part, count, members, expansions }: Part, target: Document, budget: AnswerBudget): void {
  for (const name of members) {
    const shown = expansions.members[name]!(part, target);
    if (shown === undefined) continue;
    budget.spend(count * JSON.stringify(shown).length);
    part[name] = shown;
  }
}

async function fill(
  engine: Engine,
  expansion: Expansion,
  { levels, kinds }: { readonly levels: readonly Level[]; readonly kinds: Kinds },
): Promise<void> {
  const targets = [...targetsOf(engine, expansion, levels).values()];
  for (let start = 0; start < targets.length; start += readMax) {
    const part = targets.slice(start, start + readMax);
    const lookups = part.map(({ typeId, id }) => ({ kind: typeId, id }));
    const found = await engine.store.find(expansion.context.project.key, lookups);
    for (const [index, target] of part.entries()) {
      const stored = found[index];
      if (stored === undefined) continue;
      await bytesTurn(expansion.context, stored.json.length * target.references.size);
      put(engine, expansion, { target, stored, kinds });
    }
  }
}

function targetsOf(
  { registry }: Engine,
  { context }: Expansion,
  levels: readonly Level[],
): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>();
  for (const [reference, { branches, count }] of referencesOf(levels)) {
    const { typeId, id } = reference;
    const resource = registry.byKind.get(typeId);
    if (resource === undefined) continue;
    delete reference['obj'];
    if (sightOf(context, resource) === undefined) continue;
    const name = `${typeId}/${id}`;
    let target = targets.get(name);
    if (target === undefined)
      targets.set(name, (target = { typeId, id, references: new Map<string, Reference[]>(), count: 0 }));
    const sharing = target.references.get(branches);
    if (sharing === undefined) target.references.set(branches, [reference]);
    else sharing.push(reference);
    target.count += count;
  }
  return targets;
}

/** What leads to a reference. */
interface Ways {
  /** The numbers of the branches. */
  readonly branches: string;
  readonly count: number;
}

/** Each reference once, with the branches that lead to it. Those that lead to it once more find the same places. */
function referencesOf(levels: readonly Level[]): ReadonlyMap<Reference, Ways> {
  const references = new Map<Reference, Ways>();
  for (const [index, level] of levels.entries()) {
    for (const [reference, count] of level.references) {
      const before = references.get(reference);
      const branches = before === undefined ? `${index}` : `${before.branches} ${index}`;
      references.set(reference, { branches, count: Math.max(count, before?.count ?? 0) });
    }
  }
  return references;
}

function put(
  { registry }: Engine,
  { context, budget }: Expansion,
  { target, stored, kinds }: { readonly target: Target; readonly stored: Stored; readonly kinds: Kinds },
): void {
  const { typeId, references, count } = target;
  const resource = registry.byKind.get(typeId)!;
  const sees = sightOf(context, resource)!;
  for (const [index, sharing] of [...references.values()].entries()) {
    const document = sees(documentOf(stored.json));
    if (document === undefined) return;
    if (index === 0) budget.spend(count * stored.json.length);
    if (resource.expansions !== undefined) kinds.set(document, resource);
    for (const reference of sharing) reference['obj'] = document;
  }
}
