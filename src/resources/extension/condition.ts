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

/** Undefined for a trigger without one. Throws the faults of its text. */
export function conditionOf(
  { registry }: Engine,
  { resourceTypeId, condition }: Pick<Trigger, 'resourceTypeId' | 'condition'>,
): Condition | undefined {
  if (condition === undefined) return undefined;
  const predicate = sayingAbsence(parsePredicate(condition, registry.byKind.get(resourceTypeId)!.shape));
  return { holds: compilePredicate(predicate), absentField: compileAbsentField(predicate) };
}

/** Triggers are for kinds about which extensions are asked, and their conditions predicates on these. */
export const triggersAreValid: Check = (engine, { after }) => {
  // The document was made by the declared fields.
  const { triggers } = after as unknown as Extension;
  return Promise.resolve(triggers.map((trigger, index) => faultOf(engine, trigger, index)).find(isFault));
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
