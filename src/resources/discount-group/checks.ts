import { queriedKind } from '../../engine/operations/query.ts';
import type { Check } from '../../engine/resource.ts';
import { parsePredicate } from '../../predicate/parser.ts';

/** Active groups that a project may have; the public API has this limit. */
const activeGroupsMax = 100;

/** A group that becomes active is one of so many. Several at once may be a few more. */
export const activeWithinLimit: Check = async (engine, { project, before, after }) => {
  if (after['isActive'] !== true || before?.['isActive'] === true) return undefined;
  const resource = engine.registry.byKind.get('discount-group')!;
  const where = [parsePredicate('isActive = true', resource.shape)];
  const count = await engine.store.count(project, { ...queriedKind(engine, resource), where });
  if (count < activeGroupsMax) return undefined;
  const message = `The project has ${activeGroupsMax} active discount groups, which is the limit.`;
  return { code: 'MaxDiscountGroupsReached', message };
};
