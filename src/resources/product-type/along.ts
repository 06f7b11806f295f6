import { ApiError, apiError } from '../../errors/api-error.ts';
import type { Along } from '../../engine/resource.ts';
import { planDefinitions } from '../attribute-name/offers.ts';
import { typeNameOf } from './attribute-type.ts';
import { planRemoved } from '../required-values/offers.ts';
import { addedDefinitions, otherTypeOf, removedRequired, unusedEnumValues } from './checks.ts';

/** Attributes that one request may define, each of which is a write of the commit. */
const definedMax = 900;

/** Rivals who define one attribute with two types at the same moment, which `sameTypes` does not see, exclude each other. */
export const definedNames: Along = async (engine, context, { before, after }) => {
  const added = addedDefinitions(before, after);
  if (added.length > definedMax)
    throw apiError(
      'InvalidOperation',
      `A request may define at most ${definedMax} attributes; it has ${added.length}.`,
    );
  return planDefinitions(engine, context, {
    types: new Map(added.map(({ name, type }) => [name, typeNameOf(type)])),
    conflict: (names) =>
      otherTypeOf(engine, context.project.key, {
        id: after.id,
        definitions: added.filter(({ name }) => names.has(name)),
      }),
  });
};

/** Products that take a value of a required attribute at the same moment, which `unusedEnumValues` does not see, exclude its removal. */
export const removedRequiredValues: Along = async (engine, context, { before, after, internals }) => {
  if (before === undefined || removedRequired({ before, after, internals }).length === 0) return [];
  const requireUnused = async (): Promise<void> => {
    const refusal = await unusedEnumValues(engine, { project: context.project.key, before, after, internals });
    if (refusal !== undefined) throw new ApiError([refusal]);
  };
  return [await planRemoved(engine, context, { productType: after.id, requireUnused })];
};
