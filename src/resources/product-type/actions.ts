import { action, invalidOperation } from '../../engine/actions.ts';
import type { Action } from '../../engine/resource.ts';
import { ApiError, apiError } from '../../errors/api-error.ts';
import { calledInGraphql, optional, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { boolean, text } from '../../fields/scalar.ts';
import { logChange } from './changes.ts';
import { alreadyExists, attributeUnknown } from './errors.ts';
import {
  attributeConstraint,
  type AttributeDefinition,
  attributeDefinition,
  attributeDefinitions,
  attributeName,
  inputHint as inputHintKind,
  type ProductType,
} from './fields.ts';

/** Any text: one that is no name of an attribute names none that is there. */
export const named = { attributeName: required(text(['color'])) };

export function definitionOf(type: ProductType, name: string): AttributeDefinition {
  const definition = type.attributes.find((other) => other.name === name);
  if (definition === undefined) throw attributeUnknown(type, name);
  return definition;
}

function requireNewName(type: ProductType, name: string): void {
  if (type.attributes.some((other) => other.name === name)) throw new ApiError([alreadyExists(type, name)]);
}

/** What the definition demands of products is checked at the next write of each. */
export const addAttributeDefinition = action(
  { attribute: required(calledInGraphql(attributeDefinition, 'attributeDefinition')) },
  (type: ProductType, { attribute }) => {
    requireNewName(type, attribute.name);
    type.attributes.push(attribute);
  },
);

export const removeAttributeDefinition = action(
  { name: named.attributeName },
  (type: ProductType, { name }, { internals }) => {
    type.attributes.splice(type.attributes.indexOf(definitionOf(type, name)), 1);
    logChange(type, { change: 'attributeRemoved', name }, internals);
  },
);

export const changeAttributeName = action(
  { ...named, newAttributeName: required(attributeName) },
  (type: ProductType, { attributeName: name, newAttributeName: to }, { internals }) => {
    const definition = definitionOf(type, name);
    if (to === name) return;
    requireNewName(type, to);
    definition.name = to;
    logChange(type, { change: 'attributeRenamed', name, to }, internals);
  },
);

export const changeLabel = action({ ...named, label: required(localizedString()) }, (type: ProductType, input) => {
  definitionOf(type, input.attributeName).label = input.label;
});

export const setInputTip = action({ ...named, inputTip: optional(localizedString()) }, (type: ProductType, input) => {
  const definition = definitionOf(type, input.attributeName);
  if (input.inputTip === undefined) delete definition.inputTip;
  else definition.inputTip = input.inputTip;
});

export const changeInputHint = action({ ...named, newValue: required(inputHintKind) }, (type: ProductType, input) => {
  definitionOf(type, input.attributeName).inputHint = input.newValue;
});

export const changeIsSearchable = action(
  { ...named, isSearchable: required(boolean()) },
  (type: ProductType, { attributeName: name, isSearchable }) => {
    definitionOf(type, name).isSearchable = isSearchable;
  },
);

const loosened: ReadonlySet<string> = new Set(['SameForAll', 'Unique']);

/** What products hold may break a constraint that is new, so constraints are given up and never made. */
export const changeAttributeConstraint = action(
  { ...named, newValue: required(attributeConstraint) },
  (type: ProductType, { attributeName: name, newValue }) => {
    const definition = definitionOf(type, name);
    const { attributeConstraint: current } = definition;
    if (newValue !== 'None' || !loosened.has(current))
      throw invalidOperation(
        `The constraint of '${name}' cannot become ${newValue}: it is ${current}, and only SameForAll and Unique can become None.`,
      );
    definition.attributeConstraint = newValue;
  },
);

function inOrder(type: ProductType, names: readonly string[]): AttributeDefinition[] {
  const byName = new Map(type.attributes.map((definition) => [definition.name, definition]));
  const ordered = [...new Set(names)].flatMap((name) => byName.get(name) ?? []);
  if (ordered.length !== byName.size || names.length !== byName.size)
    throw apiError('InvalidInput', `The order has to name each of ${[...byName.keys()].join(', ')} once.`);
  return ordered;
}

export const changeAttributeOrderByName: Action = action(
  { attributeNames: required(list(text(['color']))) },
  (type: ProductType, { attributeNames }) => {
    type.attributes = inOrder(type, attributeNames);
  },
);

/** The names of the definitions count; nothing else of them changes. */
export const changeAttributeOrder = action(
  { attributes: required(attributeDefinitions) },
  (type: ProductType, input) => {
    type.attributes = inOrder(
      type,
      input.attributes.map(({ name }) => name),
    );
  },
);
