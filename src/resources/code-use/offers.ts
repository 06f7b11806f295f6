/** What uses of discount codes offer to carts, which codes let be used so often, and to orders, which use them. */
import type { RequestContext } from '../../engine/context.ts';
import type { Fixed, UniqueValue } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import { planInsertion } from '../../engine/operations/plan.ts';
import type { Engine, Planned } from '../../engine/resource.ts';
import type { CodeUse } from './fields.ts';

const kind = 'code-use';

/** Who uses which code. */
interface Use {
  readonly codeId: string;
  readonly customerId: string;
}

export function useUnique({
  discountCodeId,
  customerId,
}: Fixed<Pick<CodeUse, 'discountCodeId' | 'customerId'>>): UniqueValue {
  return { field: 'use', value: `${discountCodeId} ${customerId}` };
}

/** How often, by the ids of the codes; a code that was never used is not there. */
export async function usesBy(
  store: Pick<Engine['store'], 'findHolders'>,
  project: string,
  uses: readonly Use[],
): Promise<ReadonlyMap<string, number>> {
  return new Map([...(await found(store, project, uses))].map(([codeId, { count }]) => [codeId, count]));
}

async function found(
  store: Pick<Engine['store'], 'findHolders'>,
  project: string,
  uses: readonly Use[],
): Promise<ReadonlyMap<string, CodeUse>> {
  if (uses.length === 0) return new Map();
  const stored = await store.findHolders(
    project,
    uses.map(({ codeId, customerId }) => ({ kind, unique: useUnique({ discountCodeId: codeId, customerId }) })),
  );
  return new Map(
    stored.flatMap((each, index) =>
      each === undefined ? [] : [[uses[index]!.codeId, documentOf<CodeUse>(each.json)] as const],
    ),
  );
}

/** A use that is wanted, and how many the customer may have. */
export interface Wanted extends Use {
  readonly max: number | undefined;
}

/** The writes of one more use of each; `onUsedUp` hears of those that nobody may have any more, instead. */
export async function planUses(
  engine: Engine,
  context: RequestContext,
  { uses, onUsedUp }: { readonly uses: readonly Wanted[]; onUsedUp(codeId: string): void },
): Promise<readonly Planned[]> {
  const resource = engine.registry.byKind.get(kind)!;
  const known = await found(engine.store, context.project.key, uses);
  const planned = uses.map(async ({ codeId, customerId, max }): Promise<readonly Planned[]> => {
    const use = known.get(codeId);
    if (max !== undefined && (use?.count ?? 0) >= max) {
      onUsedUp(codeId);
      return [];
    }
    if (use === undefined) {
      const body = { discountCodeId: codeId, customerId, count: 1 };
      return [await planInsertion(engine, { context, resource, body })];
    }
    const bound = max === undefined ? {} : { max };
    return [
      { resource, write: { type: 'increment', kind, id: use.id, member: 'count', by: 1, ...bound, now: context.now } },
    ];
  });
  return (await Promise.all(planned)).flat();
}
