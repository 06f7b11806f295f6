/**
 * Increments name no version, and messages are numbered by one. So an increment that brings a number down to a level of which
 * its kind tells something is written as a replacement, with its messages, and any other one is bounded to leave the number on
 * its side of the level: where a rival has brought that about meanwhile, it fails, and it is looked at again.
 */
import type { RequestContext } from '../context.ts';
import { internalsOf } from '../descriptions.ts';
import { documentOf } from '../json.ts';
import type { Engine, Planned } from '../resource.ts';
import type { Increment, Insertion, Stored, Write } from '../store.ts';
import { counted, messageCount, planFewMessages } from './plan-messages.ts';
import { replacementOf } from './plan.ts';

export interface ToldWrites {
  readonly adapted: readonly Write[];
  readonly messages: readonly Planned<Insertion>[];
  /** Those of the writes that stand for increments; that one fails says nothing of what it stands for. */
  readonly standing: ReadonlySet<Write>;
}

/** The writes as they are to be committed where somebody hears of messages about such kinds. */
export async function withToldIncrements(
  engine: Engine,
  context: RequestContext,
  { planned, isHeard }: { readonly planned: readonly Write[]; isHeard(kind: string): boolean },
): Promise<ToldWrites> {
  const telling = planned.filter(
    (write): write is Increment =>
      write.type === 'increment' &&
      (write.by < 0 || (write.also?.by ?? 0) < 0) &&
      engine.registry.byKind.get(write.kind)?.telling?.levelOf !== undefined &&
      isHeard(write.kind),
  );
  if (telling.length === 0) return { adapted: planned, messages: [], standing: new Set() };
  const found = await engine.store.find(context.project.key, telling);
  const made = new Map(
    telling.flatMap((increment, index): [Write, Made][] => {
      const stored = found[index];
      const adapted = stored && adaptedOf(engine, context, increment, stored);
      return adapted === undefined ? [] : [[increment, adapted]];
    }),
  );
  const all = [...made.values()];
  return {
    adapted: planned.map((write) => made.get(write)?.write ?? write),
    messages: all.flatMap(({ messages }) => messages),
    standing: new Set(all.map(({ write }) => write)),
  };
}

interface Made {
  readonly write: Write;
  readonly messages: readonly Planned<Insertion>[];
}

/** Undefined for an increment that stays what it is. */
function adaptedOf(engine: Engine, context: RequestContext, increment: Increment, stored: Stored): Made | undefined {
  const { kind, id, member, by, min, max, also } = increment;
  const resource = engine.registry.byKind.get(kind)!;
  const before = documentOf(stored.json);
  // Members that are counted are numbers.
  const value = (before[member] ?? 0) as number;
  const { levelOf } = resource.telling!;
  const level = levelOf!(before, member);
  const next = value + by;
  if (level === undefined || (min !== undefined && next < min)) return undefined;
  // The other number has no bounds, so where it has a level the version tells of rivals.
  if (also === undefined || levelOf!(before, also.member) === undefined) {
    // Below it already, and still then.
    if (value <= level) return { write: { ...increment, max: Math.min(max ?? Infinity, level + by) }, messages: [] };
    if (next > level) return { write: { ...increment, min: Math.max(min ?? -Infinity, level + 1) }, messages: [] };
  }
  const after = {
    ...before,
    [member]: next,
    ...(also !== undefined && { [also.member]: ((before[also.member] ?? 0) as number) + also.by }),
  };
  const told = resource.telling!.replaced?.(before, after, []) ?? [];
  const internals = counted(resource, { internals: internalsOf(stored), document: after, count: told.length });
  const { write } = replacementOf({ context, resource, id, before, after, internals, isFollowing: true });
  const count = messageCount(internalsOf(stored));
  return { write, messages: planFewMessages(engine, context, { resource, document: after, told, count }) };
}
