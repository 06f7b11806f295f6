import type { InputObject, OutputField, OutputObject } from '../../../fields/field.ts';

/** Fields that give the members of their names, as SDL by name. */
export function plainFields(types: Readonly<Record<string, string>>): readonly OutputField[] {
  return Object.entries(types).map(([name, type]) => ({ name, type, complexity: 1, read: (parent) => parent[name] }));
}

export function plainObject(
  name: string,
  types: Readonly<Record<string, string>>,
  more: readonly OutputField[] = [],
): OutputObject {
  return { name, fields: [...plainFields(types), ...more] };
}

export function plainInputObject(name: string, types: Readonly<Record<string, string>>): InputObject {
  return { name, fields: Object.entries(types).map(([member, type]) => ({ name: member, type })) };
}
