/** What states may be, and what of the built-in one stays (orders 31). */
import type { DocumentOf, Fixed } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import type { Check } from '../../engine/resource.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import type { fields } from './fields.ts';

type State = DocumentOf<typeof fields>;

/** A role says something of the resources of one type of states. */
const typeOfRole: Readonly<Record<State['roles'][number], State['type']>> = {
  ReviewIncludedInStatistics: 'ReviewState',
  Return: 'LineItemState',
};

export function fitting({ type, roles }: Fixed<State>): readonly ErrorElement[] {
  return roles
    .filter((role) => typeOfRole[role] !== type)
    .map((role) => ({
      code: 'InvalidOperation',
      message: `The role ${role} is for states of the type ${typeOfRole[role]}, but this one is a ${type}.`,
    }));
}

/** All projects know it by its key, and count on what it is. */
const fixedMembers = ['key', 'type', 'initial'] as const;

export const builtInStays: Check = (_, change) => {
  // The engine checks states.
  const [before, after] = [change.before, change.after] as unknown as [Fixed<State> | undefined, Fixed<State>];
  const changed = before?.builtIn === true ? fixedMembers.find((name) => before[name] !== after[name]) : undefined;
  return Promise.resolve(
    changed === undefined
      ? undefined
      : { code: 'InvalidOperation', message: `The ${changed} of a built-in state cannot be changed.` },
  );
};

export function builtInFault({ builtIn, key }: Fixed<State>): ErrorElement | undefined {
  if (!builtIn) return undefined;
  return { code: 'InvalidOperation', message: `The state '${key}' is built in, so it cannot be deleted.` };
}

/** Transitions lead to states of the same type. */
export const sameTypes: Check = async (engine, change) => {
  const { type, transitions = [], id } = change.after as unknown as Fixed<State>;
  const others = transitions.filter((transition) => transition.id !== id);
  if (others.length === 0) return undefined;
  const before = change.before as unknown as Fixed<State> | undefined;
  const isKnown = before?.type === type && others.every((one) => before.transitions?.some((old) => old.id === one.id));
  if (isKnown) return undefined;
  const found = await engine.store.find(
    change.project,
    others.map((transition) => ({ kind: transition.typeId, id: transition.id })),
  );
  const wrong = found.find((stored) => stored !== undefined && documentOf<State>(stored.json).type !== type);
  if (wrong === undefined) return undefined;
  return {
    code: 'InvalidOperation',
    message: `The state '${wrong.id}' is a ${documentOf<State>(wrong.json).type}, but transitions of a ${type} lead to states of this type.`,
  };
};
