/** Custom fields of carts and items, which predicates read. */
import type { CustomFieldsDraft } from '@commercetools/platform-sdk';
import type { ModelCart } from './cart-shapes.ts';
import { refuseIf } from './model-error.ts';

export function customOf({ type, fields = {} }: CustomFieldsDraft): NonNullable<ModelCart['custom']> {
  return { type: { typeId: 'type', id: type.id ?? '' }, fields: { ...fields } };
}

export function setField(
  holder: Pick<ModelCart, 'custom'>,
  { name, value }: { readonly name: string; readonly value?: unknown },
): void {
  refuseIf(holder.custom === undefined, 'InvalidOperation');
  if (holder.custom === undefined) return;
  const { [name]: _, ...fields } = holder.custom.fields;
  holder.custom = { ...holder.custom, fields: value === undefined ? fields : { ...fields, [name]: value } };
}
