/**
 * Has an attribute get the same type in all product types, though those who define it at one moment do not see each other.
 * Whoever defines it says so with the same commit: the first inserts the name, the others count one more use, which any
 * number of them may do at a time. A name of another type goes only at a version at which nobody was found to define it, so
 * whoever counts a use meanwhile keeps it, and whoever comes too late begins again and finds what is defined.
 */
import type { RequestContext } from '../../engine/context.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import { ApiError } from '../../errors/api-error.ts';
import { documentOf } from '../../engine/json.ts';
import { tooManyRivals, tryCommit } from '../../engine/operations/commit.ts';
import { planInsertion, planRemoval } from '../../engine/operations/plan.ts';
import type { Engine, Planned } from '../../engine/resource.ts';
import type { Stored, UniqueLookup } from '../../engine/store.ts';
import { type AttributeName, heldBy } from './fields.ts';
import { attributeName as resource } from './resource.ts';

/** Times that names of other types are cleared away while rivals define them again. */
const attemptsMax = 16;

const { kind } = resource;

export interface Definitions {
  /** The types of the attributes that are defined anew, by their names. */
  readonly types: ReadonlyMap<string, string>;
  /** Why these names cannot have these types, by the product types that are there. */
  conflict(names: ReadonlySet<string>): Promise<ErrorElement | undefined>;
}

/** The writes that go with the definition of these attributes. Throws where one is defined with another type. */
export async function planDefinitions(
  engine: Engine,
  context: RequestContext,
  { types, conflict }: Definitions,
): Promise<readonly Planned[]> {
  const names = [...types.keys()];
  const lookups: readonly UniqueLookup[] = names.map((name) => ({ kind, unique: heldBy(name) }));
  if (names.length === 0) return [];
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const found = await engine.store.findHolders(context.project.key, lookups);
    const others = found.filter((stored) => stored !== undefined && !isOfType(stored, types));
    if (others.length === 0)
      return Promise.all(names.map((name, index) => planned(name, types.get(name)!, found[index])));
    // Read after the names, so that it shows all who have counted a use of these versions.
    const refusal = await conflict(new Set(others.map((stored) => nameOf(stored!).name)));
    if (refusal !== undefined) throw new ApiError([refusal]);
    for (const stored of others) {
      const { id, json, version } = stored!;
      await tryCommit(engine, context, [planRemoval(engine, context, { resource, stored: { id, json }, version })]);
    }
  }
  throw tooManyRivals();

  async function planned(name: string, type: string, stored: Stored | undefined): Promise<Planned> {
    if (stored === undefined) return planInsertion(engine, { context, resource, body: { name, type, uses: 1 } });
    const { id } = stored;
    return { resource, write: { type: 'increment', kind, id, member: 'uses', by: 1, now: context.now } };
  }
}

function nameOf({ json }: Stored): AttributeName {
  return documentOf<AttributeName>(json);
}

function isOfType(stored: Stored, types: Definitions['types']): boolean {
  const { name, type } = nameOf(stored);
  return types.get(name) === type;
}
