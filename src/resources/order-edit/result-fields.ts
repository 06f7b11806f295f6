/** What came of an edit that was applied, and what would come of one that was not. */
import { assigned, type FieldKind, noTypes, plainOutput, sameSchema } from '../../fields/field.ts';
import { versioned } from '../../engine/document.ts';
import { embedded } from '../../fields/embedded.ts';
import { json } from '../../fields/json.ts';
import { list } from '../../fields/list.ts';
import { objectSchema } from '../../fields/object.ts';
import { oneOf } from '../../fields/one-of.ts';
import { payloadTypes } from '../message/fields.ts';
import { fields as order } from '../order/fields.ts';
import { messages as orderMessages } from '../order/messages.ts';
import { appliedFields } from './applied-result.ts';
import { types } from './messages.ts';

/** The platform alone gives it. */
function given<Value>(kind: FieldKind<Value>): FieldKind<Value> {
  return { ...kind, input: undefined };
}

const whole = { ...versioned, ...order };
const preview = {
  ...embedded<unknown>('Order', whole),
  schema: sameSchema({ title: 'StagedOrder', ...objectSchema(whole).value }),
};

const errors: FieldKind<unknown[]> = { ...list(given(json())), output: plainOutput('[Json!]', 1, noTypes) };

const payloadType = 'OrderMessagePayload';
const payloads: FieldKind<unknown[]> = {
  ...list(given(json())),
  output: plainOutput(`[${payloadType}!]`, 1, () => payloadTypes(payloadType, [...orderMessages.types, ...types])),
};

const stored = {
  NotProcessed: { typeName: 'NotProcessed', fields: {} },
  Applied: { typeName: 'Applied', fields: appliedFields },
};

const found = {
  PreviewSuccess: {
    typeName: 'PreviewSuccess',
    fields: {
      preview: assigned(preview),
      messagePayloads: assigned(payloads),
    },
  },
  PreviewFailure: { typeName: 'PreviewFailure', fields: { errors: assigned(errors) } },
};

const typeName = 'OrderEditResult';

/** Predicates and sorts speak of what is stored; the others are found when somebody asks. */
export const result = given({ ...oneOf(typeName, { ...stored, ...found }), shape: oneOf(typeName, stored).shape });
