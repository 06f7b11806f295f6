import type { Fixed } from '../../engine/document.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import { unwrapped } from './attribute-type.ts';
import { alreadyExists } from './errors.ts';
import type { AttributeDefinition, ProductType } from './fields.ts';

/** The texts that stand there before, each time again. */
function repeated(texts: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return texts.filter((text) => seen.size === seen.add(text).size);
}

export function differentNames(type: Fixed<ProductType>): ErrorElement | undefined {
  const [name] = repeated(type.attributes.map((definition) => definition.name));
  return name === undefined ? undefined : alreadyExists(type, name);
}

export function differentEnumKeys({ attributes }: Fixed<ProductType>): ErrorElement | undefined {
  for (const { name, type } of attributes) {
    const duplicates = [...new Set(repeated((unwrapped(type).innermost.values ?? []).map(({ key }) => key)))];
    if (duplicates.length > 0) {
      const message = `The values of the attribute '${name}' have keys more than once: ${duplicates.join(', ')}.`;
      return { code: 'DuplicateEnumValues', message, duplicates };
    }
  }
  return undefined;
}

/** What an attribute demands of products has to be possible for its type and its level (catalog.md 5). */
export function possibleDemands({ attributes }: Fixed<ProductType>): ErrorElement | undefined {
  for (const definition of attributes) {
    const problem = problemOf(definition);
    if (problem !== undefined)
      return { code: 'InvalidOperation', message: `The attribute '${definition.name}' ${problem}.` };
  }
  return undefined;
}

function problemOf(definition: Fixed<AttributeDefinition>): string | undefined {
  const { type, level, attributeConstraint, isRequired, isSearchable } = definition;
  const { sets, innermost } = unwrapped(type);
  const isNested = innermost.name === 'nested';
  if (attributeConstraint !== 'None' && level === 'Product')
    return `is one of the product, so it cannot have the constraint ${attributeConstraint}`;
  if (attributeConstraint !== 'None' && isNested)
    return `is nested, so it cannot have the constraint ${attributeConstraint}`;
  if (isSearchable && isNested) return 'is nested, so it cannot be searchable';
  return isRequired && sets > 0 ? 'is a set, so it cannot be required' : undefined;
}
