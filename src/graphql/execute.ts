import { createHash } from 'node:crypto';
import {
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  isObjectType,
  isInterfaceType,
  printSchema,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { ApiError, apiError } from '../errors/api-error.ts';
import { type ErrorCode, statusOf } from '../errors/codes.ts';
import { answerBytesMax } from '../engine/answer-budget.ts';
import { CoherentCache, type Fence, type Made, Sources } from '../engine/coherence.ts';
import { hasEnded, type RequestContext, RequestEnded, throwIfEnded } from '../engine/context.ts';
import { heavyTurn } from '../engine/heavy-turns.ts';
import type { Engine } from '../engine/resource.ts';
import { type Claim, claimsOf, FairQueue, type FairQueueLimits, type SharesMax } from '../engine/fair-queue.ts';
import {
  type AnalyzedOperation,
  analyzing,
  type NeededVariable,
  type SchemaSource,
  type TextError,
} from './analyze.ts';
import { introspecting } from './introspect.ts';
import { type ArgumentCost, type ArgumentCosts, type FieldCosts, scoreFor } from './complexity.ts';
import { isObject } from '../fields/object.ts';
import { AnswerSize } from './answer-size.ts';
import { Excerpts, type KnownOutline } from './excerpts.ts';
import { thrownOf } from './execution-errors.ts';
import { type Program, Programs } from './programs.ts';
import { type Authorize, createQueryContext } from './resolvers.ts';
import { createSchema, formArgumentsOf, resourceFieldsOf } from './schema.ts';

export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

export interface GraphqlAnswer {
  readonly status: number;
  readonly body: string | Buffer;
  /** Score of the query; absent when its text could not be scored. */
  readonly complexity: number | undefined;
}

export interface GraphqlService {
  execute(request: GraphqlRequest, context: RequestContext): Promise<GraphqlAnswer>;
}

/** Queries with a score equal to or above this are refused (specification section 8). */
const complexityMax = 20_000;
const textLengthMax = 100_000;
/** Query texts that a process knows, and their characters in all. */
const textsMax = 1000;
const cachedLengthMax = 4_000_000;
/** Of documents and compiled code. */
const programBytesMax = 128 * 1024 * 1024;

/** An answer as ready bytes, kept until something that it was made from changes. */
interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** An operation of a text. */
interface Known extends Omit<AnalyzedOperation, 'outline'> {
  /** '' is the anonymous one. */
  readonly name: string;
  readonly program: Program;
  readonly outline: KnownOutline | undefined;
}

interface KnownText {
  /** By name; the anonymous one is ''. */
  readonly operations: ReadonlyMap<string, Known>;
}

/** Of variables; answers to more are not kept, for their names take more than making them. */
const keptVariablesLengthMax = 10_000;

export interface GraphqlOptions {
  readonly fence: Fence;
  readonly answerBytesMax: number;
  /** Of what earlier answers said of resources; with 0 every answer is made as a whole. */
  readonly excerptBytesMax: number;
  readonly authorize: Authorize;
  /** What clients hear of an error that a resolver threw. */
  clientError(error: unknown): unknown;
  /** Hears of faults that are not the client's. */
  onFault(fault: unknown, request: RequestContext): void;
}

export function createGraphql(engine: Engine, options: GraphqlOptions): GraphqlService {
  const schema = createSchema(engine.registry);
  const source: SchemaSource = {
    sdl: printSchema(schema),
    costs: costsOf(schema),
    argumentCosts: argumentCostsOf(schema),
    resourceFields: options.excerptBytesMax === 0 ? {} : resourceFieldsOf(schema),
    formArguments: formArgumentsOf(schema),
  };
  const versioned = { version: createHash('sha256').update(JSON.stringify(source)).digest('hex'), state: source };
  const texts = new LRUCache<string, KnownText>({
    max: textsMax,
    maxSize: cachedLengthMax,
    sizeCalculation: (_, text) => Math.max(1, text.length),
  });
  const answers = new CoherentCache<Answer>(options.fence, {
    bytesMax: options.answerBytesMax,
    bytesOf: ({ body }) => body.length,
  });
  const programs = new Programs(schema, { bytesMax: programBytesMax });
  const excerpts = new Excerpts(engine, programs, { ...options, bytesMax: options.excerptBytesMax });
  const waiting = new Map<string, WaitingText>();
  const analyses = new Map<string, Promise<KnownText | readonly TextError[]>>();
  const newTexts = new FairQueue(newTextsLimits);
  const descriptions = new FairQueue(descriptionsLimits);

  function knownOperation(text: string, operation: string, analyzed: AnalyzedOperation): Known {
    const { outline, ...others } = analyzed;
    return {
      name: operation,
      ...others,
      program: programs.create({ text, operation }),
      outline: outline && excerpts.know(outline, operation),
    };
  }

  async function analyze(text: string): Promise<KnownText | readonly TextError[]> {
    const analysis = await engine.compute.run(analyzing, text, versioned);
    if ('errors' in analysis) return analysis.errors;
    const operations = Object.entries(analysis.operations);
    const known = {
      operations: new Map(operations.map(([name, analyzed]) => [name, knownOperation(text, name, analyzed)])),
    };
    texts.set(text, known);
    return known;
  }

  /** Whoever comes first has it analyzed, and those whose turn comes meanwhile wait for that. */
  function analyzedOnce(text: string): Promise<KnownText | readonly TextError[]> {
    const known = texts.get(text);
    if (known !== undefined) return Promise.resolve(known);
    let running = analyses.get(text);
    if (running === undefined) {
      running = analyze(text).finally(() => analyses.delete(text));
      analyses.set(text, running);
    }
    return running;
  }

  /** Undefined where the variables do not fit, which is told in the usual way. */
  async function introspected(
    known: Known,
    { query: text, variables: given }: GraphqlRequest,
    context: RequestContext,
  ): Promise<Made<Answer> | undefined> {
    const { name: operation } = known;
    const variables = declaredOf(known, given);
    const answer = await inTurn(
      { queue: descriptions, claims: claimsOf(context, descriptionsMax), isWanted: () => !hasEnded(context) },
      () => engine.compute.run(introspecting, { text, operation, variables }, versioned),
    );
    if (answer === null) return undefined;
    return { value: { status: 200, body: Buffer.from(answer) }, dependencies: [] };
  }

  /** Requests of one client with the same new text have one turn, for as long as one of them waits for it. */
  function newText(text: string, request: RequestContext): WaitingText['result'] {
    const claims = claimsOf(request, newTextsMax);
    const name = `${claims[0].name} ${text}`;
    const others = waiting.get(name);
    if (others !== undefined && !others.requests.every(hasEnded)) {
      if (others.requests.length < sharedMax) others.requests.push(request);
      return others.result;
    }
    const requests = [request];
    // Of more than are looked at one may still wait.
    const isWanted = (): boolean => requests.length >= sharedMax || !requests.every(hasEnded);
    const result = inTurn({ queue: newTexts, claims, isWanted }, () => analyzedOnce(text));
    const own = { requests, result };
    waiting.set(name, own);
    const end = (): void => {
      if (waiting.get(name) === own) waiting.delete(name);
    };
    result.then(end, end);
    return result;
  }

  async function made(known: Known, asked: GraphqlRequest, request: RequestContext): Promise<Made<Answer>> {
    const { program, outline, isIntrospection } = known;
    const { variables } = asked;
    const told = isIntrospection ? await introspected(known, asked, request) : undefined;
    if (told !== undefined) return told;
    const sources = new Sources(request.project.key);
    const size = new AnswerSize();
    const together = outline && (await excerpts.answer(outline, { request, variables, sources, size }));
    throwIfEnded(request);
    if (size.isOver) return tooLarge;
    const { until } = sources;
    // Of the first texts of an answer only characters were counted, and of numbers nothing.
    if (together !== undefined && together.length > answerBytesMax) return tooLarge;
    if (together !== undefined)
      return { value: { status: 200, body: together }, dependencies: sources.dependencies, until };
    const whole = new AnswerSize({ canBreakOff: !known.isMutation });
    const context = createQueryContext({ engine, sources, size: whole, form: 'whole' }, request, options.authorize);
    const { data, errors = [] } = await program.run(context, variables);
    throwIfEnded(request);
    if (whole.isOver) return context.hasWritten() ? doneButTooLarge : tooLarge;
    const failures = errors.map((error) => ({ error, thrown: options.clientError(thrownOf(error)) }));
    // One field that fails tends to fail for every element of a list.
    const fault = failures.find(({ thrown }) => isFault(thrown));
    if (fault !== undefined) options.onFault(fault.thrown, request);
    if (whole.isHeavy) await heavyTurn(request);
    const { status, body: text } = resultAnswer(data, failures, context.hasWritten());
    const body = Buffer.from(text);
    if (body.length > answerBytesMax) return context.hasWritten() ? doneButTooLarge : tooLarge;
    const dependencies = failures.length === 0 ? sources.dependencies : undefined;
    const isOfOne = failures.some(({ thrown }) => thrown instanceof ApiError && thrown.isOwnShare);
    return { value: { status, body }, dependencies, isOfOne, until: sources.until };
  }

  return {
    execute: async (request, context) => {
      const { query, variables, operationName } = request;
      if (query.length > textLengthMax) return { ...refusalOf(tooLong), complexity: undefined };
      const known = texts.get(query) ?? (await newText(query, context));
      if (!('operations' in known)) return refusal(known);
      const operation = operationOf(known, operationName);
      if (operation instanceof ApiError) return { ...refusalOf(operation), complexity: undefined };
      const asked = known.operations.get(operation)!;
      const cost = scoreFor(asked.score, variables);
      if (cost >= complexityMax) return tooComplex(cost);
      const missing = asked.needed.filter(({ name }) => variables[name] === null);
      if (missing.length > 0) return { ...refusalWithout(missing), complexity: cost };
      const { project, principal } = context;
      const given = JSON.stringify(declaredOf(asked, variables));
      if (asked.isMutation || given.length > keptVariablesLengthMax) {
        const { value } = await made(asked, request, context);
        return { ...value, complexity: cost };
      }
      const settings = `${project.key}@${project.version}`;
      const name = `${settings} ${principal.grants} ${operation} ${given} ${query}`;
      const answer = await answers.get(name, () => made(asked, request, context), context);
      return { ...answer, complexity: cost };
    },
  };
}

/** Of the variables that were given, those that the operation has. */
function declaredOf({ variables: names }: Known, given: GraphqlRequest['variables']): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]));
}

/** A new text of a client, and which of its requests wait for it. */
interface WaitingText {
  readonly requests: RequestContext[];
  readonly result: Promise<KnownText | readonly TextError[]>;
}

/** Requests of one text that are looked at before it is dropped; what more have sent is not. */
const sharedMax = 100;

/** Texts that were not sent before. The more are under way the longer others wait for their turn, and the more are cheaper. */
const newTextsMax: SharesMax = { ofClient: 500, ofProject: 750 };
const newTextsLimits: FairQueueLimits = {
  runningMax: 8,
  waitingMax: 2000,
  refusal: 'Too many GraphQL texts are sent that were not sent before.',
};
/** Descriptions of the schema, each of which takes a thread for a tenth of a second. */
const descriptionsMax: SharesMax = { ofClient: 8, ofProject: 12 };
const descriptionsLimits: FairQueueLimits = {
  runningMax: 1,
  waitingMax: 100,
  refusal: 'The schema is being described for too many requests.',
};

/** Does something when its turn comes, unless nobody waits for it any more. */
function inTurn<T>(
  turn: { readonly queue: FairQueue; readonly claims: [Claim, Claim]; isWanted(): boolean },
  work: () => Promise<T>,
): Promise<T> {
  return turn.queue.run(turn.claims, async () => {
    if (!turn.isWanted()) throw new RequestEnded();
    return work();
  });
}

/** An error of a field. */
interface Failure {
  readonly error: GraphQLError;
  /** What a resolver threw, as clients hear of it. */
  readonly thrown: unknown;
}

/** The client hears little or nothing of it, so the log has to. */
function isFault(thrown: unknown): boolean {
  return thrown instanceof ApiError ? thrown.isFault : !isOfGraphql(thrown);
}

/** What the library found wrong by itself has no original, or another of its errors. */
function isOfGraphql(thrown: unknown): boolean {
  return thrown === undefined || thrown === null || thrown instanceof GraphQLError;
}

/** The name of the operation to run, or why there is none. */
function operationOf({ operations }: KnownText, operationName: string | undefined): string | ApiError {
  if (operationName !== undefined) {
    if (operations.has(operationName)) return operationName;
    return apiError('InvalidInput', `The query has no operation '${operationName.slice(0, 100)}'.`);
  }
  const [name, ...others] = operations.keys();
  if (name !== undefined && others.length === 0) return name;
  return apiError('InvalidInput', 'The query has more than one operation, so operationName has to name one.');
}

/** Costs that differ from 1. */
function costsOf(schema: GraphQLSchema): FieldCosts {
  return Object.fromEntries(extensionsOf<number>(schema, 'complexity').filter(([, cost]) => cost !== 1));
}

function argumentCostsOf(schema: GraphQLSchema): ArgumentCosts {
  return Object.fromEntries(extensionsOf<ArgumentCost>(schema, 'argumentCost'));
}

/** By `Type.field`, as the schema's fields carry them. */
function extensionsOf<T>(schema: GraphQLSchema, name: string): readonly (readonly [string, T])[] {
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return Object.values(type.getFields()).flatMap((field) => {
      // Whoever gives a field this name knows what it says.
      const said = field.extensions[name] as T | undefined;
      return said === undefined ? [] : [[`${type.name}.${field.name}`, said] as const];
    });
  });
}

function refusal(errors: readonly TextError[]): GraphqlAnswer {
  const elements: readonly FormattedError[] = errors.map(({ message, locations, isSyntax }) => ({
    message: shortened(message),
    locations,
    extensions: { code: isSyntax ? 'SyntaxError' : 'InvalidInput' },
  }));
  return { ...refusalWith(statusOf('SyntaxError'), elements), complexity: undefined };
}

function tooComplex(cost: number): GraphqlAnswer {
  const message = `The query has a complexity of ${cost}, but only queries below ${complexityMax} are run.`;
  return { ...refusalOf(apiError('QueryComplexityLimitExceeded', message)), complexity: cost };
}

/** An executor would fail in each place where it stands. */
function refusalWithout(missing: readonly NeededVariable[]): { status: number; body: string } {
  const elements: readonly FormattedError[] = missing.map(({ name, type, locations }) => ({
    message: `The variable '$${name}' must not be null, for a value of type ${type} is needed.`,
    locations,
    extensions: { code: 'InvalidInput' },
  }));
  return refusalWith(statusOf('InvalidInput'), elements);
}

const tooLong = apiError('InvalidInput', `The query has more than ${textLengthMax} characters.`);

const tooLargeError = apiError(
  'QueryComplexityLimitExceeded',
  'The answer is too large. Ask for fewer resources at a time, or for less of each.',
);

/** Another resource or principal may have fewer values under the same name. */
const tooLarge: Made<Answer> = { value: refusalOf(tooLargeError), dependencies: undefined };

/** What was written is no failure, though nothing of it is shown. */
const doneButTooLarge: Made<Answer> = {
  value: { status: 200, body: Buffer.from(JSON.stringify({ data: null, errors: elementsOf(tooLargeError) })) },
  dependencies: undefined,
};

/** A request that is not run. */
function refusalOf(error: ApiError): Answer {
  const { status, body } = refusalWith(error.status, elementsOf(error));
  return { status, body: Buffer.from(body) };
}

function elementsOf(error: ApiError): readonly FormattedError[] {
  return formatted({ error: new GraphQLError(error.message), thrown: error });
}

/** With the members that errors of REST have: what clients share for both tells them to their callers. */
function refusalWith(
  statusCode: number,
  errors: readonly FormattedError[],
  others: object = {},
): { status: number; body: string } {
  const body = { ...others, statusCode, message: errors[0]?.message, errors };
  return { status: statusCode, body: JSON.stringify(body) };
}

/**
 * 200 with `errors` for faults of fields. A missing scope is the status that it is in REST (decisions.md #96) where nothing
 * came of the request: those who take any other status for a failure would lose what did, and not know what was written.
 */
function resultAnswer(
  data: ExecutionResult['data'],
  failures: readonly Failure[],
  hasWritten: boolean,
): { status: number; body: string } {
  if (failures.length === 0) return { status: 200, body: JSON.stringify({ data }) };
  // Without data the query did not run: its variables do not fit.
  if (data === undefined) return refusalWith(statusOf('InvalidInput'), formattedFirst(failures));
  const ofScope = failures.filter(isOfScope);
  if (ofScope.length > 0 && !hasWritten && isNothing(data, failures)) {
    const others = failures.filter((failure) => !isOfScope(failure));
    // The first one is the message.
    return refusalWith(statusOf('insufficient_scope'), formattedFirst([...ofScope, ...others]), { data });
  }
  const elements = formattedFirst(failures);
  return { status: 200, body: JSON.stringify({ data, errors: elements }) };
}

/** Whether all fields failed: those of the root or, where a field only holds others, as `me` does, those below it. */
function isNothing(data: ExecutionResult['data'], failures: readonly Failure[]): boolean {
  if (!isObject(data)) return true;
  const failed: Failed = new Map();
  for (const { error } of failures) {
    let holder = failed;
    for (const step of error.path ?? []) {
      // A list that has elements is something.
      if (typeof step === 'number') return false;
      // Where a field must not be null, what holds it is null in its place.
      let held = holder.get(step);
      if (held === undefined) holder.set(step, (held = new Map()));
      holder = held;
    }
  }
  return holdsNothing(data, failed);
}

/** Fields that failed, and those that hold them, by their names: paths with long names would take long to put together. */
interface Failed extends Map<string, Failed> {}

function holdsNothing(object: Readonly<Record<string, unknown>>, failed: Failed | undefined): boolean {
  return Object.entries(object).every(([name, value]) => {
    const held = failed?.get(name);
    return value === null ? held !== undefined : isObject(value) && holdsNothing(value, held);
  });
}

interface FormattedError {
  readonly message: string;
  /** None where the request as a whole is refused. */
  readonly locations: readonly { readonly line: number; readonly column: number }[];
  /** The code and its extra fields (decisions.md #95). */
  readonly extensions: { readonly code: ErrorCode };
}

/** Errors of one answer: a field that fails may stand in a long list. */
const errorsMax = 100;
const messageLengthMax = 2000;

/** The library quotes what clients send as it is. */
function shortened(message: string): string {
  return message.length > messageLengthMax ? `${message.slice(0, messageLengthMax)}…` : message;
}

function isOfScope({ thrown }: Failure): boolean {
  return thrown instanceof ApiError && thrown.code === 'insufficient_scope';
}

/** As many as are told. */
function formattedFirst(failures: readonly Failure[]): readonly FormattedError[] {
  return failures.slice(0, errorsMax).flatMap(formatted).slice(0, errorsMax);
}

/** A resolver that fails with several errors gives an element for each of them. */
function formatted({ error, thrown }: Failure): readonly FormattedError[] {
  const { locations = [], path } = error;
  const place = { locations, ...(path !== undefined && { path }) };
  if (thrown instanceof ApiError)
    return thrown.errors.map(({ message, ...extensions }) => ({ message, ...place, extensions }));
  if (isOfGraphql(thrown))
    return [{ message: shortened(error.message), ...place, extensions: { code: 'InvalidInput' } }];
  return [{ message: 'The server met a problem that it did not expect.', ...place, extensions: { code: 'General' } }];
}
