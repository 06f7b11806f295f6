import type { Document, Fixed } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import { queriedKind } from '../../engine/operations/query.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import type { AlongChange, Check, Engine } from '../../engine/resource.ts';
import type { Query, Stored } from '../../engine/store.ts';
import type { Predicate, Test } from '../../predicate/ast.ts';
import { type AttributeType, isSameType } from './attribute-type.ts';
import { alsoCalled, type CalledValues, changesMax, droppedUpTo, loggedChanges, removedEnumValues } from './changes.ts';
import { typeConflict } from './errors.ts';
import type { AttributeDefinition, ProductType } from './fields.ts';

/** Definitions that one statement looks for. */
const definitionsMax = 200;

/** An attribute has the same type in all product types. Who defines it at the same moment does not show yet: see `along.ts`. */
export const sameTypes: Check = (engine, { before, after, project }) =>
  otherTypeOf(engine, project, { id: after.id, definitions: addedDefinitions(before, after) });

/** What is defined anew, or with another type. */
export function addedDefinitions(before: unknown, after: unknown): readonly Fixed<AttributeDefinition>[] {
  const known = new Map(definitionsOf(before).map(({ name, type }) => [name, type]));
  return definitionsOf(after).filter(({ name, type }) => {
    const other = known.get(name);
    return other === undefined || !isSameType(other, type);
  });
}

/** Says which other product type gives one of the attributes another type. */
export async function otherTypeOf(
  engine: Engine,
  project: string,
  { id, definitions }: { readonly id: string; readonly definitions: readonly Fixed<AttributeDefinition>[] },
): Promise<ErrorElement | undefined> {
  for (let start = 0; start < definitions.length; start += definitionsMax) {
    const some = definitions.slice(start, start + definitionsMax);
    const where: Predicate[] = [
      { kind: 'not', operand: is('id', id) },
      { kind: 'any', operands: some.map(definedOtherwise) },
    ];
    const [stored] = await first(engine, project, { kind: 'product-type', where });
    if (stored === undefined) continue;
    // It was stored as one of the kind.
    const other = documentOf(stored.json) as unknown as Fixed<ProductType>;
    const conflicting = other.attributes.find(({ name, type }) =>
      some.some((definition) => definition.name === name && !isSameType(definition.type, type)),
    );
    return typeConflict(other, conflicting!.name);
  }
  return undefined;
}

/**
 * Values of required attributes stay while products have them: the products would lack one. Those that have not followed
 * the last changes may call them otherwise.
 */
export const unusedEnumValues: Check = async (engine, { before, after, project, internals = {} }) => {
  const removed = removedRequired({ before, after, internals });
  if (removed.length === 0) return undefined;
  const { id } = after;
  const followed = await followedUpTo(engine, project, id);
  for (const { definition, keys } of removed) {
    const { name, level } = definition;
    const since = { followed, version: after.version - 1 };
    const called = alsoCalled(loggedChanges(internals), { name, keys }, since);
    if (!(await isUsed(engine, project, { id, level, called }))) continue;
    const message = `A product has one of the values ${keys.join(', ')} of the attribute '${name}', which is required.`;
    return { code: 'EnumValueIsUsed', message };
  }
  return undefined;
};

/** What the log of changes has no room for may go once all products have followed it: they would never follow it otherwise. */
export const followedChanges: Check = async (engine, { after, project, internals = {} }) => {
  const dropped = droppedUpTo(internals);
  if (dropped === 0) return undefined;
  if (dropped <= (await followedUpTo(engine, project, after.id))) return undefined;
  const message = `Products have not followed the last ${changesMax} changes of the attributes yet. Try again later.`;
  return { code: 'PendingOperation', message };
};

/** The version of a product type that all products follow, or a later one. */
async function followedUpTo(engine: Engine, project: string, sourceId: string): Promise<number> {
  return (await engine.followedVersion(project, { kind: 'product', sourceKind: 'product-type', sourceId })) ?? 0;
}

/** The values of required attributes that an update removes. */
export function removedRequired({
  before,
  after,
  internals = {},
}: Pick<AlongChange, 'before' | 'internals'> & { readonly after: Fixed<Document> }): readonly {
  readonly definition: Fixed<AttributeDefinition>;
  readonly keys: readonly string[];
}[] {
  const known = new Map(definitionsOf(before).map((definition) => [definition.name, definition]));
  return removedEnumValues(loggedChanges(internals), after.version).flatMap(({ name, keys }) => {
    const definition = known.get(name);
    return definition?.isRequired === true ? [{ definition, keys }] : [];
  });
}

async function isUsed(
  engine: Engine,
  project: string,
  {
    id,
    level,
    called,
  }: {
    readonly id: string;
    readonly level: AttributeDefinition['level'];
    readonly called: readonly CalledValues[];
  },
): Promise<boolean> {
  const values = called.map(({ name, keys }): Predicate => {
    const test: Test = { kind: 'in', isNegated: false, literals: keys };
    const value = has('value', 'one', { kind: 'field', name: 'key', holds: 'one', test });
    return has('attributes', 'list', { kind: 'all', operands: [is('name', name), value] });
  });
  const holders = values.flatMap((attribute) =>
    level === 'Product' ? [attribute] : [has('masterVariant', 'one', attribute), has('variants', 'list', attribute)],
  );
  const projections = ['current', 'staged'].flatMap((side) => holders.map((holder) => has(side, 'one', holder)));
  const where = [
    has('productType', 'one', is('id', id)),
    has('masterData', 'one', { kind: 'any', operands: projections }),
  ];
  return (await first(engine, project, { kind: 'product', where })).length > 0;
}

function definitionsOf(document: unknown): readonly Fixed<AttributeDefinition>[] {
  // Checks are called with documents of the kind.
  return (document as Fixed<ProductType> | undefined)?.attributes ?? [];
}

/** There is an attribute of the name, and its type is another one. */
function definedOtherwise({ name, type }: Fixed<AttributeDefinition>): Predicate {
  const otherType: Predicate = { kind: 'not', operand: has('type', 'one', typeIs(type)) };
  return has('attributes', 'list', { kind: 'all', operands: [is('name', name), otherType] });
}

function typeIs({ name, elementType, referenceTypeId, typeReference }: Fixed<AttributeType>): Predicate {
  return {
    kind: 'all',
    operands: [
      is('name', name),
      ...(elementType === undefined ? [] : [has('elementType', 'one', typeIs(elementType))]),
      ...(referenceTypeId === undefined ? [] : [is('referenceTypeId', referenceTypeId)]),
      ...(typeReference === undefined ? [] : [has('typeReference', 'one', is('id', typeReference.id))]),
    ],
  };
}

function is(name: string, literal: string): Predicate {
  return field(name, 'one', { kind: 'compare', comparison: '=', literal });
}

function has(name: string, holds: 'one' | 'list', predicate: Predicate): Predicate {
  return field(name, holds, { kind: 'group', predicate });
}

function field(name: string, holds: 'one' | 'list', test: Test): Predicate {
  return { kind: 'field', name, holds, test };
}

function first(
  engine: Engine,
  project: string,
  { kind, where }: Pick<Query, 'kind' | 'where'>,
): Promise<readonly Stored[]> {
  return engine.store.query(project, {
    ...queriedKind(engine, engine.registry.byKind.get(kind)!),
    where,
    sort: [],
    limit: 1,
    offset: 0,
  });
}
