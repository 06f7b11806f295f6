/** What came of an edit that was applied, and what would come of one that was not. */
import {
  assigned,
  assignedOptional,
  type FieldKind,
  hiddenInGraphql,
  noTypes,
  plainOutput,
  sameSchema,
  type ValueOf,
} from '../../fields/field.ts';
import { type Fixed, versioned } from '../../engine/document.ts';
import { embedded } from '../../fields/embedded.ts';
import { json } from '../../fields/json.ts';
import { list } from '../../fields/list.ts';
import { centMoney } from '../../fields/money.ts';
import { object, objectSchema } from '../../fields/object.ts';
import { oneOf } from '../../fields/one-of.ts';
import { dateTime, integer, text } from '../../fields/scalar.ts';
import { taxedPrice } from '../cart/tax-fields.ts';
import { fields as order } from '../order/fields.ts';

const excerpt = object('OrderExcerpt', {
  totalPrice: assigned(centMoney()),
  taxedPrice: assignedOptional(taxedPrice),
  version: assigned(integer()),
});

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

export const appliedFields = {
  appliedAt: assigned(dateTime()),
  excerptBeforeEdit: assigned(given(excerpt)),
  excerptAfterEdit: assigned(given(excerpt)),
};

/** That of an edit that was applied, as messages have it. */
export const appliedResult: FieldKind<Applied> = embedded('Applied', { type: assigned(text()), ...appliedFields });

const stored = {
  NotProcessed: { typeName: 'NotProcessed', fields: {} },
  Applied: { typeName: 'Applied', fields: appliedFields },
};

const found = {
  PreviewSuccess: {
    typeName: 'PreviewSuccess',
    fields: {
      preview: assigned(preview),
      // Payloads are of one of many types, which GraphQL gives for messages alone.
      messagePayloads: assigned(hiddenInGraphql(list(given(json())))),
    },
  },
  PreviewFailure: { typeName: 'PreviewFailure', fields: { errors: assigned(errors) } },
};

const typeName = 'OrderEditResult';

/** Predicates and sorts speak of what is stored; the others are found when somebody asks. */
export const result = given({ ...oneOf(typeName, { ...stored, ...found }), shape: oneOf(typeName, stored).shape });

export type Applied = { readonly type: 'Applied' } & Fixed<ValueOf<typeof appliedFields>>;
