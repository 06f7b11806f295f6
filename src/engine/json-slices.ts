import type { Requester } from './context.ts';
import type { Document } from './document.ts';
import { bodyTurn, bytesTurn, heavyBytes, heavyTurn, sliceTurn } from './heavy-turns.ts';
import { documentOf, type Json, noteLength } from './json.ts';
import { apiError } from '../errors/api-error.ts';
import { membersMax } from '../fields/json.ts';
import {
  closingByte,
  commaByte,
  digitByte,
  endOfNumber,
  endOfString,
  invalidJson,
  jsonDepthMax,
  kinds,
  openingByte,
  quoteByte,
  requireUtf8,
  tooDeep,
} from './json-scan.ts';

/**
 * Bytes that are parsed at a time, which takes up to a millisecond. The text of a longer slice would have memory of its own,
 * whose pages the system has to fetch for each.
 */
const defaultSliceBytes = 32 * 1024;
/** After so long others have their turn. */
const turnMsMax = 2;
/** Values that one body holds: what is done with them takes the event loop, up to half a microsecond for each. */
export const valuesMax = 500_000;

interface Limits {
  readonly values: number;
  /** Of one object. */
  readonly members: number;
  /** Of arrays and objects within each other. */
  readonly depth: number;
}

const bodyLimits: Limits = { values: valuesMax, members: membersMax, depth: jsonDepthMax };
/** What is stored was judged before. */
const noLimits: Limits = { values: Infinity, members: Infinity, depth: Infinity };

/**
 * The value of a JSON text, parsed by JSON.parse in slices of a few members each, between which other requests are served.
 * In a worker thread it would not take the event loop either, but what comes back from there has to be made into values
 * again, which takes longer than parsing. Throws InvalidJsonInput.
 *
 *   [ 1, 2, { "a": [ 3, 4, 5 ] }, 6 ]       members are parsed where a comma follows enough of them:
 *     ╰──╯           ╰──╯  ╰╯     ╰╯        [1,2]  {"a":null}  [3,4]  [5]  [6]
 */
export async function parseInSlices(
  body: Buffer,
  request: Requester,
  sliceBytes = defaultSliceBytes,
): Promise<unknown> {
  requireUtf8(body);
  const slices = new Slices(body, sliceBytes, bodyLimits);
  await bodyTurn(request);
  return valueOf(slices, () => bodyTurn(request));
}

/** The resource that a representation is of, parsed in slices as well where it is large. */
export async function documentInTurns<D extends object = Document>(json: Json, of: Requester): Promise<D> {
  if (json.length <= heavyBytes) return documentOf<D>(json);
  await heavyTurn(of);
  const bytes = typeof json === 'string' ? Buffer.from(json) : json;
  const document = (await valueOf(new Slices(bytes, defaultSliceBytes, noLimits), () => sliceTurn(of))) as D;
  noteLength(document, json.length);
  return document;
}

/** The same of one of many: small ones share turns. */
export async function oneInTurns<D extends object = Document>(json: Json, of: Requester): Promise<D> {
  if (json.length > heavyBytes) return documentInTurns<D>(json, of);
  await bytesTurn(of, json.length);
  return documentOf<D>(json);
}

/** In the turn that there is, and those that follow it. */
async function valueOf(slices: Slices, turn: () => Promise<void>): Promise<unknown> {
  let turnStartedAtMs = performance.now();
  while (!slices.advance()) {
    if (performance.now() - turnStartedAtMs <= turnMsMax) continue;
    await turn();
    turnStartedAtMs = performance.now();
  }
  return slices.value();
}

/** An array or object that the scan is in. */
interface Open {
  readonly isArray: boolean;
  /** Of its bracket. */
  readonly index: number;
  /** Where the text begins that is not parsed yet. */
  start: number;
  /** What stands before that text. */
  before: 'bracket' | 'comma' | 'member';
  /** What was parsed; undefined while nothing was, so that all of it is a part of the text around it. */
  members: unknown[] | Record<string, unknown> | undefined;
  /** Commas of it so far. */
  commas: number;
  /** The string that was met last: before an object's member, its name. */
  nameStart: number;
  nameEnd: number;
}

const openBracket = 0x5b;
const closeBracket = 0x5d;

class Slices {
  readonly #body: Buffer;
  readonly #sliceBytes: number;
  readonly #limits: Limits;
  readonly #open: Open[] = [];
  #index = 0;
  #values = 0;
  #root: Open | undefined;

  constructor(body: Buffer, sliceBytes: number, limits: Limits) {
    this.#body = body;
    this.#sliceBytes = sliceBytes;
    this.#limits = limits;
  }

  /** Scans up to where a slice has been parsed; true at the end. */
  advance(): boolean {
    const body = this.#body;
    for (let index = this.#index; index < body.length; index += 1) {
      switch (kinds[body[index]!]) {
        case openingByte:
          this.#enter(index);
          break;
        case closingByte:
          this.#leave(index);
          break;
        case quoteByte: {
          const end = endOfString(body, index + 1);
          const top = this.#open.at(-1);
          if (top !== undefined) {
            top.nameStart = index;
            top.nameEnd = end + 1;
          }
          index = end;
          break;
        }
        case digitByte:
          index = endOfNumber(body, index) - 1;
          break;
        case commaByte:
          this.#count();
          if (!this.#separate(index)) break;
          this.#index = index + 1;
          return false;
      }
    }
    this.#index = body.length;
    return true;
  }

  /** The whole value; what was too small or has no commas to be sliced at is parsed as it is. */
  value(): unknown {
    if (this.#root?.members === undefined) return parsed(this.#text(0, this.#body.length));
    const [open] = this.#open;
    if (open !== undefined) throw invalidJson('The body ends within an array or object.');
    return this.#root.members;
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > this.#limits.values)
      throw apiError('InvalidInput', `The body has more than ${this.#limits.values} values, arrays and objects.`);
  }

  #enter(index: number): void {
    this.#count();
    // What follows the value is no JSON, and is found so.
    if (this.#open.length === 0 && this.#root?.members !== undefined) throw unexpected(index);
    const top: Open = {
      isArray: this.#body[index] === openBracket,
      index,
      start: index + 1,
      before: 'bracket',
      members: undefined,
      commas: 0,
      nameStart: 0,
      nameEnd: 0,
    };
    this.#root ??= top;
    this.#open.push(top);
    if (this.#open.length > this.#limits.depth) throw tooDeep();
  }

  #leave(index: number): void {
    const top = this.#open.pop();
    if (top === undefined || top.isArray !== (this.#body[index] === closeBracket)) throw unexpected(index);
    if (top.members === undefined) return;
    this.#take(top, index);
    const around = this.#open.at(-1);
    if (around === undefined) {
      if (!isBlank(this.#text(index + 1, this.#body.length))) throw unexpected(index + 1);
      return;
    }
    around.start = index + 1;
    around.before = 'member';
  }

  /** Whether a slice was parsed. */
  #separate(index: number): boolean {
    const top = this.#open.at(-1);
    if (top === undefined) throw unexpected(index);
    top.commas += 1;
    if (!top.isArray && top.commas >= this.#limits.members)
      throw apiError('InvalidInput', `An object of the body has more than ${this.#limits.members} members.`);
    if (top.before !== 'member' && index - top.start < this.#sliceBytes) return false;
    this.#make(this.#open.length - 1);
    this.#take(top, index);
    top.start = index + 1;
    top.before = 'comma';
    return true;
  }

  /** Parses the members of an array or object whose text ends here. */
  #take({ isArray, start, before, members }: Open, end: number): void {
    const text = this.#text(start, end);
    if (isBlank(text)) {
      if (before === 'member') return;
      throw unexpected(end);
    }
    if (before === 'member') throw unexpected(start);
    add(members!, parsed(isArray ? `[${text}]` : `{${text}}`));
  }

  /** Makes an array or object that is parsed in slices, and those around it, with what stands before it in each. */
  #make(depth: number): void {
    const top = this.#open[depth]!;
    if (top.members !== undefined) return;
    top.members = top.isArray ? [] : {};
    const around = this.#open[depth - 1];
    if (around === undefined) {
      if (!isBlank(this.#text(0, top.index))) throw unexpected(0);
      return;
    }
    this.#make(depth - 1);
    if (around.before === 'member') throw unexpected(top.index);
    const text = this.#text(around.start, top.index);
    if (around.isArray) {
      const members = parsed(`[${text}null]`) as unknown[];
      members[members.length - 1] = top.members;
      add(around.members!, members);
    } else {
      add(around.members!, parsed(`{${text}null}`));
      set(around.members!, parsed(this.#text(around.nameStart, around.nameEnd)) as string, top.members);
    }
  }

  #text(start: number, end: number): string {
    return this.#body.toString('utf8', start, end);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidJson(error instanceof Error ? error.message : 'The body cannot be parsed.');
  }
}

function unexpected(index: number): Error {
  return invalidJson(`The byte at ${index} is not one that can stand there.`);
}

/** Of the white space that JSON has. */
function isBlank(text: string): boolean {
  return /^[ \t\n\r]*$/.test(text);
}

function add(members: NonNullable<Open['members']>, more: unknown): void {
  if (Array.isArray(members)) for (const member of more as unknown[]) members.push(member);
  else for (const [name, member] of Object.entries(more as object)) set(members, name, member);
}

/** `__proto__` is a name like others, as JSON.parse has it. */
function set(members: object, name: string, member: unknown): void {
  Object.defineProperty(members, name, { value: member, writable: true, enumerable: true, configurable: true });
}
