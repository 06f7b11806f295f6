import { type FieldKind, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { centMoney } from '../../fields/money.ts';
import { type Branch, oneOf, type Tagged } from '../../fields/one-of.ts';
import type { Parsing } from '../../fields/parsing.ts';
import { integer } from '../../fields/scalar.ts';
import type { CentPrecisionMoney } from '../../money/money.ts';

/** Ten thousandths: 10 % are 1000. A discount of nothing is not meant, though the public texts do not refuse it. */
const permyriad = required(integer({ min: 1, max: 10_000, type: 'Int' }));
const money = required(list(centMoney()));

/** One amount for each currency. */
function checkAmounts(value: Readonly<Record<string, unknown>>, parsing: Parsing): void {
  // Parsed by the field above.
  const currencies = (value['money'] as readonly CentPrecisionMoney[]).map(({ currencyCode }) => currencyCode);
  if (currencies.length === 0)
    parsing.fault('InvalidOperation', (field) => `The absolute discount '${field}' needs an amount.`);
  const twice = currencies.find((currency, index) => currencies.indexOf(currency) < index);
  if (twice !== undefined)
    parsing.fault('InvalidOperation', (field) => `The absolute discount '${field}' has two amounts in ${twice}.`);
}

const forms = {
  relative: { typeName: 'ProductDiscountValueRelative', fields: { permyriad } },
  absolute: { typeName: 'ProductDiscountValueAbsolute', fields: { money }, check: checkAmounts },
  external: { typeName: 'ProductDiscountValueExternal', fields: {} },
} satisfies Record<string, Branch>;

/** GraphQL shares the forms with the values of cart discounts. */
const shown = oneOf(
  'ProductDiscountValue',
  {
    relative: { ...forms.relative, typeName: 'RelativeDiscountValue', input: 'RelativeDiscountValueInput' },
    absolute: { ...forms.absolute, typeName: 'AbsoluteDiscountValue', input: 'AbsoluteDiscountValueInput' },
    external: { ...forms.external, typeName: 'ExternalDiscountValue', input: 'ExternalDiscountValueInput' },
  },
  { input: 'ProductDiscountValueInput' },
);

/** What a product discount takes off a price; of an external one the client says it with the price. */
export const value: FieldKind<Tagged> = {
  ...oneOf('ProductDiscountValue', forms),
  output: shown.output,
  input: shown.input,
};
