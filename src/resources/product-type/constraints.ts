/** What product types demand of all variants of a product together (catalog.md 11). */
import { type ErrorElement, throwAll } from '../../errors/api-error.ts';
import { textOf } from '../../fields/set.ts';
import type { Attribute, AttributeType, EnumValue } from './attribute-type.ts';
import type { AttributeDefinition } from './fields.ts';

export type Definitions = ReadonlyMap<string, AttributeDefinition>;

/** Attributes of a variant by name. */
type Variant = ReadonlyMap<string, unknown>;

/** Throws all that is broken. */
export function requireConstraints(
  definitions: Definitions,
  variants: readonly { readonly attributes: readonly Attribute[] }[],
): void {
  const constrained = [...definitions.values()].filter(({ attributeConstraint }) => attributeConstraint !== 'None');
  if (constrained.length === 0) return;
  const byName = variants.map(({ attributes }) => new Map(attributes.map(({ name, value }) => [name, value])));
  const under = (constraint: AttributeDefinition['attributeConstraint']): readonly AttributeDefinition[] =>
    constrained.filter(({ attributeConstraint }) => attributeConstraint === constraint);
  throwAll(
    [
      ...under('SameForAll').map((definition) => differing(definition, byName)),
      ...under('Unique').map((definition) => duplicate(definition, byName)),
      duplicateCombination(under('CombinationUnique'), byName),
    ].filter((error): error is ErrorElement => error !== undefined),
  );
}

/** Absence counts as a value. */
function differing(
  { name, type }: AttributeDefinition,
  [first, ...others]: readonly Variant[],
): ErrorElement | undefined {
  const expected = first?.get(name);
  const other = others.find((variant) => comparable(variant.get(name), type) !== comparable(expected, type));
  if (other === undefined) return undefined;
  return {
    code: 'InvalidField',
    message: `The attribute '${name}' has to have the same value in all variants.`,
    field: name,
    invalidValue: other.get(name) ?? null,
    ...(expected !== undefined && { allowedValues: [expected] }),
  };
}

/** Absent values never clash. */
function duplicate({ name, type }: AttributeDefinition, variants: readonly Variant[]): ErrorElement | undefined {
  const seen = new Set<string>();
  for (const variant of variants) {
    const value = variant.get(name);
    if (value === undefined || seen.size < seen.add(comparable(value, type)).size) continue;
    const message = `Two variants have the same value of the attribute '${name}', which has to be unique.`;
    return { code: 'DuplicateAttributeValue', message, attribute: { name, value } };
  }
  return undefined;
}

/** Variants with none of the attributes are left out. */
function duplicateCombination(
  definitions: readonly AttributeDefinition[],
  variants: readonly Variant[],
): ErrorElement | undefined {
  const seen = new Set<string>();
  for (const variant of variants) {
    const attributes = definitions.flatMap(({ name }) => {
      return variant.has(name) ? [{ name, value: variant.get(name) }] : [];
    });
    const combination = JSON.stringify(definitions.map(({ name, type }) => comparable(variant.get(name), type)));
    if (attributes.length === 0 || seen.size < seen.add(combination).size) continue;
    const names = definitions.map(({ name }) => name).join(', ');
    const message = `Two variants have the same combination of values of the attributes ${names}.`;
    return { code: 'DuplicateAttributeValues', message, attributes };
  }
  return undefined;
}

/** A text that equal values share: those of enumerations are told apart by their keys, and sets have no order. */
export function comparable(value: unknown, type: AttributeType): string {
  // Stored values were parsed by their types.
  if (value === undefined) return '';
  if (type.values !== undefined) return JSON.stringify((value as EnumValue).key);
  const { elementType } = type;
  if (elementType === undefined) return textOf(value);
  return JSON.stringify((value as readonly unknown[]).map((element) => comparable(element, elementType)).toSorted());
}
