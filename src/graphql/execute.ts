import { createHash } from 'node:crypto';
import { type GraphQLSchema, isObjectType, isInterfaceType, printSchema } from 'graphql';
import { ApiError, apiError } from '../errors/api-error.ts';
import { answerBytesMax } from '../engine/answer-budget.ts';
import { CoherentCache, type Fence, type Made, Sources } from '../engine/coherence.ts';
import type { RequestContext } from '../engine/context.ts';
import { heavyTurn } from '../engine/heavy-turns.ts';
import type { Engine } from '../engine/resource.ts';
import { claimsOf, FairQueue, type FairQueueLimits, type SharesMax } from '../engine/fair-queue.ts';
import type { SchemaSource } from './analyze.ts';
import {
  doneBut,
  isFault,
  refusalOf,
  refusalOfText,
  refusalWithout,
  resultAnswer,
  type Told,
} from './answer-errors.ts';
import { introspecting } from './introspect.ts';
import { type ArgumentCost, type ArgumentCosts, type FieldCosts, scoreFor } from './complexity.ts';
import { AnswerSize } from './answer-size.ts';
import { type Asked, Excerpts, type KnownOutline } from './excerpts.ts';
import { thrownOf } from './execution-errors.ts';
import { Programs } from './programs.ts';
import { type Authorize, createQueryContext } from './resolvers.ts';
import { createSchema, formArgumentsOf, resourceFieldsOf } from './schema.ts';
import { type KnownOperation, type KnownText, Texts } from './texts.ts';

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
/** Of documents and compiled code. */
const programBytesMax = 128 * 1024 * 1024;

/** An answer as ready bytes, kept until something that it was made from changes. */
interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** What an operation is run for. */
type Running = Pick<Asked, 'request' | 'variables'>;

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
  const answers = new CoherentCache<Answer>(options.fence, {
    bytesMax: options.answerBytesMax,
    bytesOf: ({ body }) => body.length,
  });
  const programs = new Programs(schema, { bytesMax: programBytesMax });
  const excerpts = new Excerpts(engine, programs, { ...options, bytesMax: options.excerptBytesMax });
  const texts = new Texts({ compute: engine.compute, source: versioned, programs, excerpts });
  const descriptions = new FairQueue(descriptionsLimits);

  /** Undefined where the variables do not fit, which is told in the usual way. */
  async function introspected(
    operation: KnownOperation,
    asked: GraphqlRequest,
    request: RequestContext,
  ): Promise<Made<Answer> | undefined> {
    const introspection = {
      text: asked.query,
      operation: operation.name,
      variables: declaredOf(operation, asked.variables),
    };
    const answer = await descriptions.run(
      claimsOf(request, descriptionsMax),
      () => engine.compute.run(introspecting, introspection, versioned),
      request.signal,
    );
    if (answer === null) return undefined;
    return { value: { status: 200, body: Buffer.from(answer) }, dependencies: [] };
  }

  /** Undefined where it has to be made as a whole. */
  async function madeTogether(outline: KnownOutline, running: Running): Promise<Made<Answer> | undefined> {
    const sources = new Sources(running.request.project.key);
    const size = new AnswerSize();
    const body = await excerpts.answer(outline, { ...running, sources, size });
    // Of the first texts of an answer only characters were counted, and of numbers nothing.
    if (size.isOver || (body !== undefined && body.length > answerBytesMax)) return tooLarge;
    const { dependencies, until } = sources;
    return body && { value: { status: 200, body }, dependencies, until };
  }

  async function madeWhole(
    { program, isMutation }: KnownOperation,
    { request, variables }: Running,
  ): Promise<Made<Answer>> {
    const sources = new Sources(request.project.key);
    const size = new AnswerSize({ canBreakOff: !isMutation });
    const context = createQueryContext({ engine, sources, size, form: 'whole' }, request, options.authorize);
    const { data, errors = [] } = await program.run(context, variables);
    const tooLargeNow = (): Made<Answer> => (context.hasWritten() ? doneButTooLarge : tooLarge);
    if (size.isOver) return tooLargeNow();
    const failures = errors.map((error) => ({ error, thrown: options.clientError(thrownOf(error)) }));
    // One field that fails tends to fail for every element of a list.
    const fault = failures.find(({ thrown }) => isFault(thrown));
    if (fault !== undefined) options.onFault(fault.thrown, request);
    if (size.isHeavy) await heavyTurn(request);
    const value = inBytes(resultAnswer(data, failures, context.hasWritten()));
    if (value.body.length > answerBytesMax) return tooLargeNow();
    const { until } = sources;
    const dependencies = failures.length === 0 ? sources.dependencies : undefined;
    const isOfOne = failures.some(({ thrown }) => thrown instanceof ApiError && thrown.isOwnShare);
    return { value, dependencies, isOfOne, until };
  }

  async function made(
    operation: KnownOperation,
    asked: GraphqlRequest,
    request: RequestContext,
  ): Promise<Made<Answer>> {
    const { outline, isIntrospection } = operation;
    const told = isIntrospection ? await introspected(operation, asked, request) : undefined;
    if (told !== undefined) return told;
    const running = { request, variables: asked.variables };
    const together = outline && (await madeTogether(outline, running));
    return together ?? madeWhole(operation, running);
  }

  return {
    execute: async (asked, request) => {
      const { query, variables } = asked;
      if (query.length > textLengthMax) return { ...refusalOf(tooLong), complexity: undefined };
      const text = texts.known(query) ?? (await texts.find(query, request));
      if (!('operations' in text)) return { ...refusalOfText(text), complexity: undefined };
      const operation = operationOf(text, asked.operationName);
      if (operation instanceof ApiError) return { ...refusalOf(operation), complexity: undefined };
      const cost = scoreFor(operation.score, variables);
      if (cost >= complexityMax) return tooComplex(cost);
      const missing = operation.needed.filter(({ name }) => variables[name] === null);
      if (missing.length > 0) return { ...refusalWithout(missing), complexity: cost };
      const { project, principal } = request;
      const given = JSON.stringify(declaredOf(operation, variables));
      if (operation.isMutation || given.length > keptVariablesLengthMax) {
        const { value } = await made(operation, asked, request);
        return { ...value, complexity: cost };
      }
      const settings = `${project.key}@${project.version}`;
      const name = `${settings} ${principal.grants} ${operation.name} ${given} ${query}`;
      const answer = await answers.get(name, () => made(operation, asked, request), request);
      return { ...answer, complexity: cost };
    },
  };
}

/** Of the variables that were given, those that the operation has. */
function declaredOf({ variables: names }: KnownOperation, given: GraphqlRequest['variables']): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]));
}

/** Descriptions of the schema, each of which takes a thread for a tenth of a second. */
const descriptionsMax: SharesMax = { ofClient: 8, ofProject: 12 };
const descriptionsLimits: FairQueueLimits = {
  runningMax: 1,
  waitingMax: 100,
  refusal: 'The schema is being described for too many requests.',
};

/** The operation to run, or why there is none. */
function operationOf({ operations }: KnownText, operationName: string | undefined): KnownOperation | ApiError {
  if (operationName !== undefined)
    return (
      operations.get(operationName) ??
      apiError('InvalidInput', `The query has no operation '${operationName.slice(0, 100)}'.`)
    );
  const [operation, ...others] = operations.values();
  if (operation !== undefined && others.length === 0) return operation;
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

function tooComplex(cost: number): GraphqlAnswer {
  const message = `The query has a complexity of ${cost}, but only queries below ${complexityMax} are run.`;
  return { ...refusalOf(apiError('QueryComplexityLimitExceeded', message)), complexity: cost };
}

const tooLong = apiError('InvalidInput', `The query has more than ${textLengthMax} characters.`);

const tooLargeError = apiError(
  'QueryComplexityLimitExceeded',
  'The answer is too large. Ask for fewer resources at a time, or for less of each.',
);

/** Another resource or principal may have fewer values under the same name. */
const tooLarge: Made<Answer> = { value: inBytes(refusalOf(tooLargeError)), dependencies: undefined };
const doneButTooLarge: Made<Answer> = { value: inBytes(doneBut(tooLargeError)), dependencies: undefined };

function inBytes({ status, body }: Told): Answer {
  return { status, body: Buffer.from(body) };
}
