/** What the rules of product types are broken with. */
import { type ApiError, apiError, type ErrorElement } from '../../errors/api-error.ts';
import type { Fixed } from '../../engine/document.ts';
import type { ProductType } from './fields.ts';

export function alreadyExists(
  { id, name }: Pick<Fixed<ProductType>, 'id' | 'name'>,
  attributeName: string,
): ErrorElement {
  return {
    code: 'AttributeDefinitionAlreadyExists',
    message: `The product type '${name}' has an attribute '${attributeName}' already.`,
    conflictingProductTypeId: id,
    conflictingProductTypeName: name,
    conflictingAttributeName: attributeName,
  };
}

export function typeConflict(
  { id, name }: Pick<Fixed<ProductType>, 'id' | 'name'>,
  attributeName: string,
): ErrorElement {
  return {
    code: 'AttributeDefinitionTypeConflict',
    message: `The attribute '${attributeName}' has another type in the product type '${name}'.`,
    conflictingProductTypeId: id,
    conflictingProductTypeName: name,
    conflictingAttributeName: attributeName,
  };
}

export function enumKeyExists(attributeName: string, key: string): ApiError {
  return apiError('EnumKeyAlreadyExists', `The attribute '${attributeName}' has a value '${key}' already.`, {
    conflictingEnumKey: key,
    conflictingAttributeName: attributeName,
  });
}

export function enumKeyUnknown(attributeName: string, key: string): ApiError {
  return apiError('EnumKeyDoesNotExist', `The attribute '${attributeName}' has no value '${key}'.`, {
    conflictingEnumKey: key,
    conflictingAttributeName: attributeName,
  });
}

export function attributeUnknown({ name }: Pick<ProductType, 'name'>, attributeName: string): ApiError {
  return apiError('AttributeNameDoesNotExist', `The product type '${name}' has no attribute '${attributeName}'.`, {
    invalidAttributeName: attributeName,
  });
}
