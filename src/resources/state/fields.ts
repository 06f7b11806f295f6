import { assigned, defaulted, optional, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { reference } from '../../fields/reference.ts';
import { anyKey, boolean, enumeration } from '../../fields/scalar.ts';

export const role = enumeration('StateRole', ['ReviewIncludedInStatistics', 'Return']);

export const fields = {
  key: required(anyKey()),
  type: required(
    enumeration('StateType', [
      'OrderState',
      'RecurringOrderState',
      'LineItemState',
      'ProductState',
      'ReviewState',
      'PaymentState',
      'QuoteRequestState',
      'StagedQuoteState',
      'QuoteState',
    ]),
  ),
  name: optional(localizedString()),
  description: optional(localizedString()),
  initial: defaulted(boolean(), () => true),
  builtIn: assigned(boolean(), () => false),
  // Of the roles, which are for different types, the example is the one that fits the example of the type.
  roles: defaulted(list({ ...role, examples: ['ReviewIncludedInStatistics'] }), () => []),
  /** Absent: any state may follow; empty: none. */
  transitions: optional(list(reference('state', 'State'))),
};
