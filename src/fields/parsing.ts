import { ApiError, type ErrorElement } from '../errors/api-error.ts';
import type { ErrorCode } from '../errors/codes.ts';

/** A loose link to another resource, as stored and as read. */
export interface Reference {
  typeId: string;
  id: string;
}

/**
 * An identifier met while a draft or an action was parsed. It is looked up with all others of the request in one
 * batch; the id that was found is then written into `target`, the value that the parser handed out.
 */
export interface PendingIdentifier {
  readonly target: Reference;
  readonly typeId: string;
  readonly id?: string;
  readonly key?: string;
}

interface Fault {
  readonly code: ErrorCode;
  field: string;
  readonly message: (field: string) => string;
  readonly extra: Readonly<Record<string, unknown>> | undefined;
}

/**
 * What the parsing of one request collects: all faults of the phase, and the identifiers to look up.
 * A fault learns its path while the containers above it return, so a value without fault pays nothing for paths.
 */
export class Parsing {
  readonly identifiers: PendingIdentifier[] = [];
  readonly #faults: Fault[] = [];

  get faultCount(): number {
    return this.#faults.length;
  }

  /** Records a fault of the value at hand; `message` gets its full path. */
  fault(code: ErrorCode, message: (field: string) => string, extra?: Readonly<Record<string, unknown>>): undefined {
    if (this.#faults.length < faultsMax) this.#faults.push({ code, field: '', message, extra });
    return undefined;
  }

  /** Records a value of the wrong JSON type. */
  wrongType(expected: string, input: unknown): undefined {
    return this.fault('InvalidJsonInput', (field) => {
      return `The value of field '${field}' is ${describe(input)}, but ${expected} is expected.`;
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

  /** Records the absence of a required value. */
  missing(): undefined {
    return this.fault('RequiredField', (field) => `A value is required for field '${field}'.`);
  }

  /** Puts `segment` before the path of every fault recorded since `since`. */
  within(segment: string, since: number): void {
    for (let index = since; index < this.#faults.length; index += 1) {
      const fault = this.#faults[index]!;
      fault.field = fault.field === '' ? segment : `${segment}${fault.field.startsWith('[') ? '' : '.'}${fault.field}`;
    }
  }

  /** Throws all recorded faults as one ApiError; returns when there are none. */
  settle(): void {
    const [first, ...others] = this.#faults;
    if (first !== undefined) throw new ApiError([elementOf(first), ...others.map(elementOf)]);
  }
}

/** Errors reported in one body; a body with a million faults is not worth more. */
const faultsMax = 100;

const DESCRIBED_MAX = 60;

function describe(input: unknown): string {
  if (input === undefined) return 'absent';
  const text = JSON.stringify(input);
  return text.length > DESCRIBED_MAX ? `${text.slice(0, DESCRIBED_MAX)}…` : text;
}

function elementOf(fault: Fault): ErrorElement {
  const { code, field } = fault;
  const message = fault.message(field);
  switch (code) {
    case 'InvalidJsonInput':
      return { code, message, detailedErrorMessage: message };
    case 'RequiredField':
    case 'InvalidField':
      return { code, message, field, ...fault.extra };
    default:
      return { code, message, ...fault.extra };
  }
}
