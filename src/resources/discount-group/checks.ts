import type { Fixed, TakenValue, UniqueValue } from '../../engine/document.ts';
import { queriedKind } from '../../engine/operations/query.ts';
import type { Check } from '../../engine/resource.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import { parsePredicate } from '../../predicate/parser.ts';
import type { DiscountGroup } from './fields.ts';

/** Active groups that a project may have; the public API has this limit. */
const activeGroupsMax = 100;

/** Of those that are active the database has so many at most. */
export function heldActive({ isActive }: Fixed<DiscountGroup>): readonly UniqueValue[] {
  return isActive ? [{ field: 'isActive', value: 'true', holdersMax: activeGroupsMax }] : [];
}

/** What a group is refused with that becomes active when rivals have. */
export function activeAtLimit({ field }: TakenValue): ErrorElement | undefined {
  return field === 'isActive' ? tooManyActive() : undefined;
}

/** A group that becomes active is one of so many. */
export const activeWithinLimit: Check = async (engine, { project, before, after }) => {
  if (after['isActive'] !== true || before?.['isActive'] === true) return undefined;
  const resource = engine.registry.byKind.get('discount-group')!;
  const where = [parsePredicate('isActive = true', resource.shape)];
  const count = await engine.store.count(project, { ...queriedKind(engine, resource), where });
  return count < activeGroupsMax ? undefined : tooManyActive();
};

function tooManyActive(): ErrorElement {
  const message = `The project has ${activeGroupsMax} active discount groups, which is the limit.`;
  return { code: 'MaxDiscountGroupsReached', message };
}
