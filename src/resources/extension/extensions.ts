/** Asks the extensions of a project about writes of other resources. */
import type { Caller } from '../../calls/caller.ts';
import { CallFailed } from '../../calls/call-failed.ts';
import { AnswerBudget } from '../../engine/answer-budget.ts';
import { CoherentCache, dependencyOn, type Fence, type Made } from '../../engine/coherence.ts';
import { type Principal, type RequestContext, RequestEnded } from '../../engine/context.ts';
import { internalsOf } from '../../engine/descriptions.ts';
import type { Document, Internals } from '../../engine/document.ts';
import { expand } from '../../engine/expand.ts';
import { documentOf } from '../../engine/json.ts';
import { wholeOf } from '../../engine/lens.ts';
import type {
  Engine,
  ExtendedAction,
  Extensions,
  Level,
  NamedExtension,
  Question,
  Reply,
} from '../../engine/resource.ts';
import { ApiError, type ErrorElement } from '../../errors/api-error.ts';
import { type ExpansionPath, expansionPaths } from '../../predicate/expand.ts';
import { type CallLimits, CallsUnderWay } from './calls-under-way.ts';
import { ancestorsOf, readExtensions } from './chain.ts';
import { type Condition, storedConditionOf, type Unreadable } from './condition.ts';
import { calledAt } from './destination.ts';
import { defaultTimeoutMs, type Extension } from './fields.ts';
import { actionsOf, noResponse, tooLarge } from './reply.ts';

const answerBytesMax = 1024 * 1024;

/** An extension as it is called. */
interface Callable {
  readonly named: NamedExtension;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly includesOld: boolean;
  readonly paths: readonly ExpansionPath[];
  readonly triggers: readonly {
    readonly kind: string;
    readonly actions: readonly string[];
    readonly condition: Condition | Unreadable | undefined;
  }[];
  /** Those that are asked before it, directly or not. */
  readonly ancestors: ReadonlySet<string>;
}

/** One that is asked about a sort of write, under any of these conditions; without any it is asked always. */
interface Asked {
  readonly callable: Callable;
  readonly conditions: readonly (Condition | Unreadable)[];
}

/** What is made of the extensions of a project, and dropped when one of them changes. */
interface Prepared {
  readonly callables: readonly Callable[];
  /** By kind and action. */
  readonly levels: Map<string, readonly Level[]>;
}

/** Projects whose extensions, or the lack of any, are kept. */
const preparedMax = 10_000;

interface ExtensionsParts {
  readonly caller: Caller;
  readonly fence: Fence;
  readonly limits?: CallLimits;
}

export function createExtensions({ caller, fence, limits }: ExtensionsParts): Extensions {
  const prepared = new CoherentCache<Prepared>(fence, { entriesMax: preparedMax });
  const asker: Asker = { caller, underWay: new CallsUnderWay(limits) };
  return {
    levelsFor: async (engine, project, { kind, action }) => {
      const { callables, levels } = await prepared.get(project, () => prepare(engine, project));
      if (callables.length === 0) return noLevels;
      const name = `${kind} ${action}`;
      let found = levels.get(name);
      if (found === undefined) levels.set(name, (found = levelsOf(asker, callables, { kind, action })));
      return found;
    },
  };
}

const noLevels: readonly Level[] = [];

/** In the order of their creation, in which their actions are applied. */
async function prepare(engine: Engine, project: string): Promise<Made<Prepared>> {
  const all = await readExtensions(engine, project);
  const found = await wholeOf(engine.store).find(
    project,
    all.map(({ id }) => ({ kind: 'extension', id })),
  );
  const stored = found
    .filter((each) => each !== undefined)
    .map((each) => ({ extension: documentOf<Extension>(each.json), internals: internalsOf(each) }))
    .toSorted((one, other) => (placeOf(one.extension) < placeOf(other.extension) ? -1 : 1));
  const graph = new Map(stored.map(({ extension: { id, dependencies } }) => [id, dependencies.map((each) => each.id)]));
  const callables = stored.map((each): Callable => callableOf(engine, graph, each));
  return {
    value: { callables, levels: new Map() },
    dependencies: [dependencyOn({ project, kind: 'extension' })],
  };
}

function callableOf(
  engine: Engine,
  graph: ReadonlyMap<string, readonly string[]>,
  { extension, internals }: { readonly extension: Extension; readonly internals: Internals },
): Callable {
  const { id, key, destination, triggers, timeoutInMs = defaultTimeoutMs, additionalContext } = extension;
  return {
    named: { id, ...(key !== undefined && { key }) },
    ...calledAt(destination, internals),
    timeoutMs: timeoutInMs,
    includesOld: additionalContext?.includeOldResource === true,
    paths: extension.expansionPaths.flatMap(pathsIn),
    triggers: triggers.map((trigger) => ({
      kind: trigger.resourceTypeId,
      actions: trigger.actions,
      condition: storedConditionOf(engine, trigger),
    })),
    ancestors: ancestorsOf(graph, id),
  };
}

/** None for a text that another version took: what leads nowhere is not expanded either. */
function pathsIn(text: string): readonly ExpansionPath[] {
  try {
    return expansionPaths([text]);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [];
  }
}

function placeOf({ createdAt, id }: Extension): string {
  return `${createdAt} ${id}`;
}

interface Asker {
  readonly caller: Caller;
  readonly underWay: CallsUnderWay;
}

/** Those who are asked about such writes: each after all that it waits for, and at once with the others of its level. */
function levelsOf(
  asker: Asker,
  callables: readonly Callable[],
  { kind, action }: { readonly kind: string; readonly action: ExtendedAction },
): readonly Level[] {
  let open = callables.flatMap((callable): readonly Asked[] => {
    const triggers = callable.triggers.filter((each) => each.kind === kind && each.actions.includes(action));
    if (triggers.length === 0) return [];
    const conditions = triggers.flatMap(({ condition }) => condition ?? []);
    return [{ callable, conditions: conditions.length < triggers.length ? [] : conditions }];
  });
  const levels: Level[] = [];
  while (open.length > 0) {
    const waiting = new Set(open.map(({ callable }) => callable.named.id));
    const level = open.filter(({ callable: { ancestors } }) => ![...ancestors].some((id) => waiting.has(id)));
    levels.push((engine, question) => askAll(asker, engine, { level, question }));
    open = open.filter((each) => !level.includes(each));
  }
  return levels;
}

/** Throws all refusals of a level together; where one has failed, what that one failed with. */
async function askAll(
  asker: Asker,
  engine: Engine,
  { level, question }: { readonly level: readonly Asked[]; readonly question: Question },
): Promise<readonly Reply[]> {
  const called = calledOf(level, question);
  const outcomes = await Promise.allSettled(called.map((callable) => ask(asker, engine, { callable, question })));
  const reasons = outcomes.flatMap((outcome): readonly unknown[] =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  );
  const refusals = reasons.filter((reason) => reason instanceof ApiError && reason.status < 500) as ApiError[];
  if (reasons.length > refusals.length) throw reasons.find((reason) => !refusals.includes(reason as ApiError));
  throwAll(refusals.flatMap(({ errors }) => errors));
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

/** Those whose condition holds. Throws where one cannot be judged, before anybody is asked. */
function calledOf(level: readonly Asked[], { json }: Question): readonly Callable[] {
  if (level.every(({ conditions }) => conditions.length === 0)) return level.map(({ callable }) => callable);
  const document = documentOf(json);
  const faults: ErrorElement[] = [];
  const called = level.filter(({ callable: { named }, conditions }) => {
    for (const condition of conditions) {
      const problem = problemOf(condition, document);
      if (problem !== undefined) {
        const message = `The condition of the API extension '${named.id}' ${problem}`;
        faults.push({ code: 'ExtensionPredicateEvaluationFailed', message, errorByExtension: named });
        return false;
      }
      if ('holds' in condition && condition.holds(document)) return true;
    }
    return conditions.length === 0;
  });
  throwAll(faults);
  return called.map(({ callable }) => callable);
}

/** Why the condition cannot be judged. */
function problemOf(condition: Condition | Unreadable, document: Document): string | undefined {
  if ('why' in condition) return `is not valid in this version: ${condition.why}`;
  const path = condition.absentField(document);
  return path && `compares '${path}', which the resource does not have.`;
}

function throwAll([first, ...others]: readonly ErrorElement[]): void {
  if (first !== undefined) throw new ApiError([first, ...others]);
}

function ask(
  { caller, underWay }: Asker,
  engine: Engine,
  { callable, question }: { readonly callable: Callable; readonly question: Question },
): Promise<Reply> {
  const { context, json, before } = question;
  const { named: extension, url, headers, timeoutMs, includesOld } = callable;
  const owner = context.project.key;
  return underWay.run(owner, async ({ take }) => {
    // What is refused is not built before.
    const leastLength = json.length + ((includesOld && before?.length) || 0);
    take(leastLength);
    const body = await inputOf(engine, callable, question);
    take(Math.max(0, Buffer.byteLength(body) - leastLength));
    const answer = await caller({
      url,
      owner,
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        Accept: 'application/json',
        'X-Correlation-ID': context.correlationId,
      },
      body,
      timeoutMs,
      answerBytesMax,
      takeBytes: take,
      signal: context.signal,
    }).catch((error: unknown) => {
      throw failureOf(error, extension, context);
    });
    return { extension, actions: await actionsOf({ answer, extension, requester: context }) };
  });
}

function failureOf(error: unknown, extension: NamedExtension, { signal }: RequestContext): unknown {
  if (!(error instanceof CallFailed)) return error;
  if (signal?.aborted === true) return new RequestEnded();
  return error.failure === 'tooLarge' ? tooLarge(error, extension) : noResponse(error, extension);
}

async function inputOf(engine: Engine, callable: Callable, question: Question): Promise<string> {
  const { resource, action, id, json, before } = question;
  const named = `"typeId":${JSON.stringify(resource.kind)},"id":${JSON.stringify(id)}`;
  const reference = async (text: string): Promise<string> =>
    `{${named},"obj":${await shownTo(engine, callable, { question, text })}}`;
  const old = callable.includesOld && before !== undefined ? `,"oldResource":${await reference(before)}` : '';
  return `{"action":"${action}","resource":${await reference(String(json))}${old}}`;
}

/** Extensions are the project's own, so they see behind each of its references. */
const seeingAll: Principal = {
  clientId: 'extensions',
  scopes: new Set(),
  shopper: undefined,
  grants: '',
  mayHandOut: () => true,
};

async function shownTo(
  engine: Engine,
  { paths }: Callable,
  { question: { context, resource }, text }: { readonly question: Question; readonly text: string },
): Promise<string> {
  if (paths.length === 0) return text;
  const budget = new AnswerBudget();
  budget.spend(text.length);
  const document: Document = documentOf(text);
  await expand(
    { ...engine, store: wholeOf(engine.store) },
    {
      context: { ...context, principal: seeingAll },
      documents: [document],
      resource: engine.registry.byKind.get(resource.kind),
      paths,
      budget,
    },
  );
  return JSON.stringify(document);
}
