import { isDeepStrictEqual } from 'node:util';
import type { Check, Engine } from '../../engine/resource.ts';
import { ApiError } from '../../errors/api-error.ts';
import { sayingAbsence } from '../../predicate/absence.ts';
import { compileAbsentField } from '../../predicate/absent-field.ts';
import { compilePredicate } from '../../predicate/compile.ts';
import { parsePredicate } from '../../predicate/parser.ts';
import type { Extension } from './fields.ts';

type Trigger = Extension['triggers'][number];

export interface Condition {
  holds(document: unknown): boolean;
  /** The path of a field that it compares and the document does not have. */
  absentField(document: unknown): string | undefined;
}

/** Of a text that another version took, and that says nothing here: why it does not. */
export interface Unreadable {
  readonly why: string;
}

/** The condition of a stored trigger; undefined for one without. */
export function storedConditionOf(engine: Engine, trigger: Trigger): Condition | Unreadable | undefined {
  // Nobody is asked about a kind that is none.
  if (!engine.registry.byKind.has(trigger.resourceTypeId)) return undefined;
  try {
    return conditionOf(engine, trigger);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { why: error.message };
  }
}

/** Undefined for a trigger without one. Throws the faults of its text. */
function conditionOf(
  { registry }: Engine,
  { resourceTypeId, condition }: Pick<Trigger, 'resourceTypeId' | 'condition'>,
): Condition | undefined {
  if (condition === undefined) return undefined;
  const predicate = sayingAbsence(parsePredicate(condition, registry.byKind.get(resourceTypeId)!.shape));
  return { holds: compilePredicate(predicate), absentField: compileAbsentField(predicate) };
}

/**
 * Triggers are for kinds about which extensions are asked, and their conditions predicates on these. Those that were there
 * before are let alone: one that another version took keeps nobody from changing the rest.
 */
export const triggersAreValid: Check = (engine, { before, after }) => {
  // The documents were made by the declared fields.
  const [was, is] = [before, after] as unknown as readonly [Extension | undefined, Extension];
  const isThere = (trigger: Trigger): boolean =>
    was?.triggers.some((each) => isDeepStrictEqual(each, trigger)) === true;
  const faults = is.triggers.map((trigger, index) => (isThere(trigger) ? undefined : faultOf(engine, trigger, index)));
  return Promise.resolve(faults.find(isFault));
};

function isFault(fault: ReturnType<typeof faultOf>): boolean {
  return fault !== undefined;
}

function faultOf(
  engine: Engine,
  trigger: Trigger,
  index: number,
): { readonly code: 'InvalidInput'; readonly message: string } | undefined {
  const { resourceTypeId } = trigger;
  if (engine.registry.byKind.get(resourceTypeId)?.isExtensible !== true)
    return {
      code: 'InvalidInput',
      message: `'triggers[${index}].resourceTypeId' is ${resourceTypeId}, which extensions are not asked about in this version.`,
    };
  try {
    conditionOf(engine, trigger);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: 'InvalidInput', message: `'triggers[${index}].condition' is not valid. ${error.message}` };
  }
}
