import { ApiError, type ErrorElement, type ExtraArguments } from '../errors/api-error.ts';
import { type ErrorCode, type ExtraOf, fieldsOf } from '../errors/codes.ts';
import { excerptOf, shortened } from '../errors/excerpt.ts';

/** A loose link to another resource, as stored and as read. */
export interface Reference {
  typeId: string;
  id: string;
}

/** A link by a key that never changes, as stored and as read. It is not expanded. */
export interface KeyReference {
  typeId: string;
  key: string;
}

/** A link whose target cannot be deleted while it stands. */
export type StrongReference = Reference | KeyReference;

/**
 * An identifier met while a draft or an action was parsed. It is looked up with all others of the request in one
 * batch; what was found is then written into `target`, the value that the parser handed out.
 */
export interface PendingIdentifier {
  readonly target: { id?: string; key?: string };
  /** What the target wants to know of the resource. */
  readonly wants: 'id' | 'key';
  readonly typeId: string;
  readonly id?: string;
  readonly key?: string;
  /** What the document that was found lacks to be referred to here. */
  readonly lacks?: Lacks | undefined;
  /** An id stands as it was given where nobody has it any more. */
  readonly mayBeGone?: boolean | undefined;
}

/** The error of a referenced document that does not fit where it is referred to. */
export type Lacks = (document: Readonly<Record<string, unknown>>) => ErrorElement | undefined;

interface Fault {
  readonly code: ErrorCode;
  field: string;
  readonly message: (field: string) => string;
  readonly extra: object | undefined;
}

/** What a fault has to bring along: the path, and the text of the message, are filled in when it is reported. */
type FaultArguments<Code extends ErrorCode> = ExtraArguments<Omit<ExtraOf<Code>, 'field' | 'detailedErrorMessage'>>;

/**
 * What the parsing of one request collects: all faults of the phase, and the identifiers to look up.
 * A fault learns its path while the containers above it return, so a value without fault pays nothing for paths.
 */
export class Parsing {
  readonly identifiers: PendingIdentifier[] = [];
  /** The first ones. */
  readonly #faults: Fault[] = [];
  #faultCount = 0;
  readonly #completions = new Map<unknown, () => void>();

  /** Of all, also of those that are not told any more: where there is another one the value at hand is not whole. */
  get faultCount(): number {
    return this.#faultCount;
  }

  /** Records a fault of the value at hand; `message` gets its full path. */
  fault<Code extends ErrorCode>(
    code: Code,
    message: (field: string) => string,
    ...[extra]: FaultArguments<Code>
  ): undefined {
    this.#faultCount += 1;
    if (this.#faults.length < faultsMax) this.#faults.push({ code, field: '', message, extra });
    return undefined;
  }

  /** Records a value of the wrong JSON type. */
  wrongType(expected: string, input: unknown): undefined {
    return this.fault('InvalidJsonInput', (field) => {
      const what = field === '' ? 'The body' : `The value of field '${field}'`;
      return `${what} is ${describe(input)}, but ${expected} is expected.`;
    });
  }

  /** Records a value of the right type that its field cannot take. */
  wrongValue(input: unknown, expected: string): undefined {
    return this.fault(
      'InvalidField',
      (field) => {
        return `The value ${describe(input)} is not valid for field '${field}': ${expected} is expected.`;
      },
      { invalidValue: input },
    );
  }

  /** Takes over the faults of a part of the value at hand that was parsed apart, so that nobody looks up what it names. */
  takeFaults(apart: Parsing): void {
    this.#faultCount += apart.#faultCount;
    for (const fault of apart.#faults) if (this.#faults.length < faultsMax) this.#faults.push(fault);
  }

  /** Records a value that is none of those that are allowed, which may be a client's, and many. */
  notAllowed(input: unknown, allowed: readonly string[]): undefined {
    return this.fault(
      'InvalidField',
      (field) => `The value ${describe(input)} is not valid for field '${field}'. Allowed values: ${listed(allowed)}.`,
      { invalidValue: input, allowedValues: allowed },
    );
  }

  /** Records the absence of a required value. */
  missing(): undefined {
    return this.fault('RequiredField', (field) => `A value is required for field '${field}'.`);
  }

  /** Puts `name`, which may be a client's, before the path of every fault recorded since `since`. */
  within(name: string, since: number): void {
    if (since >= this.#faults.length) return;
    const segment = shortened(name, segmentLengthMax);
    for (let index = since; index < this.#faults.length; index += 1) {
      const fault = this.#faults[index]!;
      fault.field = fault.field === '' ? segment : `${segment}${fault.field.startsWith('[') ? '' : '.'}${fault.field}`;
    }
  }

  /**
   * Tells the faults since `since` as InvalidField of `field`, whose value another resource describes: what it has not, such
   * as a type of its own in JSON, is no fault of the body. The messages keep the paths within the value.
   */
  describedAs(field: string, since: number, value: unknown): void {
    this.within(field, since);
    for (let index = since; index < this.#faults.length; index += 1) {
      const { code, field: path, message, extra } = this.#faults[index]!;
      const text = message(path);
      this.#faults[index] = {
        code: 'InvalidField',
        field: shortened(field, segmentLengthMax),
        message: () => text,
        extra: code === 'InvalidField' ? extra : { invalidValue: value },
      };
    }
  }

  /**
   * Has `completion` run when the identifiers are known, which may make values equal that were not; of several with one name
   * the first alone.
   */
  whenLoaded(completion: () => void, name: unknown = completion): void {
    if (!this.#completions.has(name)) this.#completions.set(name, completion);
  }

  /** What is to run, in this order, when all identifiers are known. */
  completions(): Iterable<() => void> {
    return this.#completions.values();
  }

  /** Throws all recorded faults as one ApiError; returns when there are none. */
  settle(): void {
    const [first, ...others] = this.#faults;
    if (first !== undefined) throw new ApiError([elementOf(first), ...others.map(elementOf)]);
  }
}

/** Faults that are told of one body; one with a million of them is not worth more. */
export const faultsMax = 100;

/** Of names in paths: longer ones are of nothing that there is. */
const segmentLengthMax = 300;
const describedLengthMax = 60;

/** A value that a client sent, as messages quote it. */
export function describe(input: unknown): string {
  return excerptOf(input, describedLengthMax);
}

const listedLengthMax = 2000;

/** Names or values as messages list them: the first ones. */
export function listed(texts: Iterable<string>): string {
  let list = '';
  for (const text of texts) {
    list += list === '' ? text : `, ${text}`;
    if (list.length > listedLengthMax) break;
  }
  return shortened(list, listedLengthMax);
}

function elementOf(fault: Fault): ErrorElement {
  const { code, field, extra } = fault;
  const message = fault.message(field);
  switch (code) {
    case 'InvalidJsonInput':
      return { code, message, detailedErrorMessage: message };
    case 'RequiredField':
      return { code, message, field };
    default:
      // What the code needs beside the path was asked for when the fault was recorded.
      return { code, message, ...('field' in fieldsOf(code) && { field }), ...extra } as ErrorElement;
  }
}
