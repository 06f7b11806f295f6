import { apiError } from '../../errors/api-error.ts';
import type { Along } from '../../engine/resource.ts';
import { planDefinitions } from '../attribute-name/offers.ts';
import { typeNameOf } from './attribute-type.ts';
import { addedDefinitions, otherTypeOf } from './checks.ts';

/** Attributes that one request may define, each of which is a write of the commit. */
const definedMax = 900;

/** Rivals who define one attribute with two types at the same moment, which `sameTypes` does not see, exclude each other. */
export const definedNames: Along = async (engine, context, { before, after }) => {
  if (after === undefined) return [];
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
