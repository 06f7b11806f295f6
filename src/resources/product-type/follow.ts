import type { Fixed } from '../../engine/document.ts';
import { isObject } from '../../fields/object.ts';
import { type Attribute, unwrapped } from './attribute-type.ts';
import type { AttributeChange } from './changes.ts';
import type { ProductType } from './fields.ts';

/** A product type as it is, and what it has changed since the attributes last followed it, the oldest change first. */
export interface Followed {
  readonly type: Fixed<ProductType>;
  readonly changes: readonly AttributeChange[];
}

/**
 * The attributes after the changes of the product type that describes them, and of those that describe what is nested in
 * them. Gives the same array where nothing of it changes, and never changes what it is given.
 */
export function followChanges(
  attributes: readonly Attribute[],
  typeId: string,
  followedOf: (typeId: string) => Followed | undefined,
): readonly Attribute[] {
  const followed = followedOf(typeId);
  if (followed === undefined) return attributes;
  const own = followed.changes.reduce(afterChange, attributes);
  const definitions = new Map(followed.type.attributes.map((definition) => [definition.name, definition.type]));
  return mapped(own, (attribute) => {
    const { sets, innermost } = unwrapped(definitions.get(attribute.name) ?? plain);
    if (innermost.typeReference === undefined) return attribute;
    const { id } = innermost.typeReference;
    const value = atDepth(attribute.value, sets, (nested) => followChanges(nested as Attribute[], id, followedOf));
    return value === attribute.value ? attribute : { name: attribute.name, value };
  });
}

const plain = { name: 'text' };

function afterChange(attributes: readonly Attribute[], change: AttributeChange): readonly Attribute[] {
  return mapped(attributes, (attribute) => {
    const { name, value } = attribute;
    if (name !== change.name) return attribute;
    switch (change.change) {
      case 'attributeRenamed':
        return { name: change.to, value };
      case 'attributeRemoved':
        return undefined;
      case 'enumKeyRenamed':
        return withValues(attribute, change.key, (known) => ({ ...known, key: change.to }));
      case 'enumLabelChanged':
        return withValues(attribute, change.value.key, () => structuredClone({ ...change.value }));
      case 'enumValuesRemoved':
        return change.keys.reduce<Attribute | undefined>(
          (left, key) => left && withValues(left, key, () => undefined),
          attribute,
        );
    }
  });
}

/** The attribute with another value of its enumeration in place of that with the key. A set that is emptied goes. */
function withValues(
  attribute: Attribute,
  key: string,
  replace: (value: Readonly<Record<string, unknown>>) => object | undefined,
): Attribute | undefined {
  const { name, value } = attribute;
  const replaced = (element: unknown): unknown =>
    isObject(element) && element['key'] === key ? replace(element) : element;
  const after = Array.isArray(value) ? mapped(value as readonly unknown[], replaced) : replaced(value);
  if (after === value) return attribute;
  return after === undefined || (Array.isArray(after) && after.length === 0) ? undefined : { name, value: after };
}

/** What `change` makes of the values within so many arrays. */
function atDepth(value: unknown, depth: number, change: (value: unknown) => unknown): unknown {
  // Stored values were parsed by their types.
  return depth === 0
    ? change(value)
    : mapped(value as readonly unknown[], (element) => atDepth(element, depth - 1, change));
}

/** The same array where each element stays; those that become undefined are left out. */
function mapped<T>(values: readonly T[], change: (value: T) => T | undefined): readonly T[] {
  let hasChanged = false;
  const after = values.flatMap((value) => {
    const next = change(value);
    hasChanged ||= next !== value;
    return next === undefined ? [] : [next];
  });
  return hasChanged ? after : values;
}
