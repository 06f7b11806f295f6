/**
 * Shipping methods of a cart. What is set here is only which one; whether it ships the cart, its rate and its price are found
 * when the cart is computed.
 */
import { action, invalidOperation } from '../../../engine/actions.ts';
import { setCustomField, setCustomType } from '../../../engine/custom-actions.ts';
import type { Action, ApplyContext } from '../../../engine/resource.ts';
import { apiError } from '../../../errors/api-error.ts';
import { address } from '../../../fields/address.ts';
import { optional, required, type ValueOf } from '../../../fields/field.ts';
import type { Tagged } from '../../../fields/one-of.ts';
import type { Reference } from '../../../fields/parsing.ts';
import { key, text } from '../../../fields/scalar.ts';
import { unavailable } from '../../../fields/unavailable.ts';
import { shippingRate } from '../../shipping-method/fields.ts';
import { classificationsOf } from '../../project/fields.ts';
import { estimatedDelivery } from '../delivery-fields.ts';
import type { Cart } from '../fields.ts';
import { shippingMethodsMax } from '../limits.ts';
import {
  customShippingDraftFields,
  type Shipping,
  shippingCustomFields,
  shippingDraftFields,
  type ShippingInfo,
  shippingMethod,
  shippingRateInput,
  taxCategory,
} from '../shipping-fields.ts';
import { externalTaxRate, type TaxRate } from '../tax-fields.ts';
import { requireCurrency } from './currency.ts';
import { forgetMethod, requireTaxMode, shippingInfoIn } from './taxes.ts';

/** Said of methods that a request has set, which have to be able to ship the cart: with their key, of several. */
export function setMethodName(shippingKey: string | undefined): string {
  return `set shipping method ${shippingKey ?? ''}`;
}

function requireMode({ shippingMode }: Cart, mode: Cart['shippingMode']): void {
  if (shippingMode !== mode)
    throw invalidOperation(`That needs the shipping mode ${mode}, but the cart has ${shippingMode}.`);
}

/** Methods ship to an address. */
function requireAddress({ shippingAddress }: Cart): void {
  if (shippingAddress === undefined) throw invalidOperation('The cart has no shipping address.');
}

interface Set {
  readonly method?: Reference | undefined;
  readonly externalTaxRate?: TaxRate | undefined;
  readonly deliveries?: ShippingInfo['deliveries'] | undefined;
  readonly estimatedDelivery?: ShippingInfo['estimatedDelivery'] | undefined;
}

/** What the computation fills in: the name of the method, its rate, what it costs, and whether it fits the cart. */
function newInfo(
  cart: Cart,
  { method, externalTaxRate: given, deliveries = [], estimatedDelivery: estimated }: Set,
): ShippingInfo {
  if (given !== undefined) requireTaxMode(cart, 'External');
  return {
    deliveries,
    ...(method !== undefined && { shippingMethod: method }),
    ...(given !== undefined && { taxRate: given }),
    ...(estimated !== undefined && { estimatedDelivery: estimated }),
  } as ShippingInfo;
}

/** Custom fields stay: they are the cart's. */
export function setMethod(cart: Cart, given: Set, { said }: ApplyContext): void {
  requireMode(cart, 'Single');
  if (given.method === undefined) {
    delete cart.shippingInfo;
    return;
  }
  requireAddress(cart);
  cart.shippingInfo = newInfo(cart, given);
  said.add(setMethodName(undefined));
}

export const setShippingMethod = action(
  {
    shippingMethod: optional(shippingMethod),
    externalTaxRate: optional(externalTaxRate),
    estimatedDelivery: optional(estimatedDelivery),
  },
  (cart: Cart, { shippingMethod: method, ...given }, context) => setMethod(cart, { method, ...given }, context),
);

/** Shoppers have no say in taxes. */
export const setOwnShippingMethod = action(
  { shippingMethod: optional(shippingMethod), ...unavailable('externalTaxRate') },
  (cart: Cart, { shippingMethod: method }, context) => setMethod(cart, { method }, context),
);

const custom = {
  shippingMethodName: required(text()),
  shippingRate: required(shippingRate),
  taxCategory: optional(taxCategory),
  externalTaxRate: optional(externalTaxRate),
};

type Custom = Pick<ValueOf<typeof custom>, 'shippingMethodName' | 'shippingRate' | 'taxCategory'>;

function customInfo(
  cart: Cart,
  { shippingMethodName, shippingRate: given, taxCategory: category, ...others }: Custom & Set,
): ShippingInfo {
  if (cart.taxMode === 'Platform' && category === undefined)
    throw invalidOperation('A custom shipping method needs a tax category in the tax mode Platform.');
  // All amounts of a rate are in the currency of its price.
  requireCurrency(cart, { 'shippingRate.price': given.price });
  return {
    ...newInfo(cart, others),
    shippingMethodName,
    shippingRate: given,
    ...(category !== undefined && { taxCategory: category }),
  };
}

export const setCustomShippingMethod = action(
  { ...custom, custom: optional(shippingCustomFields), estimatedDelivery: optional(estimatedDelivery) },
  (cart: Cart, { custom: fields, ...given }, { said }) => {
    requireMode(cart, 'Single');
    requireAddress(cart);
    cart.shippingInfo = customInfo(cart, given);
    if (fields !== undefined) cart.shippingCustomFields = fields;
    said.add(setMethodName(undefined));
  },
);

const shippingKey = required(key());

type Added = ValueOf<typeof shippingDraftFields> & Pick<Set, 'estimatedDelivery'> & { readonly shippingKey: string };
type AddedCustom = ValueOf<typeof customShippingDraftFields> & { readonly shippingKey: string };

export function addMethod(cart: Cart, given: Added, context: ApplyContext): void {
  const { shippingMethod: method, externalTaxRate: rate, deliveries, estimatedDelivery: estimated } = given;
  if (method === undefined)
    throw apiError('RequiredField', "The field 'shippingMethod' is required.", { field: 'shippingMethod' });
  add(
    cart,
    {
      ...given,
      shippingInfo: newInfo(cart, { method, externalTaxRate: rate, deliveries, estimatedDelivery: estimated }),
    },
    context,
  );
}

export function addCustomMethod(cart: Cart, given: AddedCustom, context: ApplyContext): void {
  const { shippingAddress } = given;
  if (shippingAddress === undefined)
    throw apiError('RequiredField', "The field 'shippingAddress' is required.", { field: 'shippingAddress' });
  add(cart, { ...given, shippingAddress, shippingInfo: customInfo(cart, given) }, context);
}

function add(
  cart: Cart,
  given: Pick<Shipping, 'shippingKey' | 'shippingInfo' | 'shippingAddress'> & {
    readonly shippingRateInput?: Tagged;
    readonly custom?: Shipping['shippingCustomFields'];
  },
  context: ApplyContext,
): void {
  requireMode(cart, 'Multiple');
  const { shippingKey: name, shippingInfo, shippingAddress, shippingRateInput: input, custom: fields } = given;
  if (cart.shipping.some((each) => each.shippingKey === name))
    throw invalidOperation(`The cart has a shipping method with the key '${name}' already.`);
  if (cart.shipping.length >= shippingMethodsMax)
    throw invalidOperation(`A cart has at most ${shippingMethodsMax} shipping methods.`);
  cart.shipping.push({
    shippingKey: name,
    shippingInfo,
    shippingAddress,
    ...(input !== undefined && { shippingRateInput: acceptedRateInput(input, context) }),
    ...(fields !== undefined && { shippingCustomFields: fields }),
  });
  context.said.add(setMethodName(name));
}

export const addShippingMethod = action(
  {
    shippingKey,
    ...shippingDraftFields,
    shippingMethod: required(shippingMethod),
    estimatedDelivery: optional(estimatedDelivery),
  },
  addMethod,
);

export const addCustomShippingMethod = action(
  { shippingKey, ...customShippingDraftFields, shippingAddress: required(address()) },
  addCustomMethod,
);

export const removeShippingMethod = action({ shippingKey }, (cart: Cart, { shippingKey: name }) => {
  requireMode(cart, 'Multiple');
  const left = cart.shipping.filter((each) => each.shippingKey !== name);
  if (left.length === cart.shipping.length)
    throw invalidOperation(`The cart has no shipping method with the key '${name}'.`);
  cart.shipping = left;
  for (const item of [...cart.lineItems, ...cart.customLineItems]) forgetMethod(item, name);
});

export const setEstimatedDelivery = action(
  { shippingKey: optional(key()), estimatedDelivery: optional(estimatedDelivery) },
  (cart: Cart, { shippingKey: name, estimatedDelivery: estimated }) => {
    const info = shippingInfoIn(cart, name);
    if (estimated === undefined) delete info.estimatedDelivery;
    else info.estimatedDelivery = estimated;
  },
);

export const setShippingRateInput = action(
  { shippingRateInput: optional(shippingRateInput) },
  (cart: Cart, input, context) => {
    if (input.shippingRateInput === undefined) delete cart.shippingRateInput;
    else cart.shippingRateInput = acceptedRateInput(input.shippingRateInput, context);
  },
);

/** The project decides by what rates are tiered; a classification is one of its values and takes over the label. */
export function acceptedRateInput(given: Tagged, { project }: Pick<ApplyContext, 'project'>): Tagged {
  const type = project.settings.shippingRateInputType;
  if (type?.type !== `Cart${given.type}`) {
    throw invalidOperation(
      `The project takes ${type === undefined ? 'no shippingRateInput' : `a shippingRateInput for ${type.type}`}, but one of type ${given.type} was given.`,
    );
  }
  if (given.type !== 'Classification') return given;
  const values = classificationsOf(type);
  const value = values.find(({ key }) => key === given['key']);
  if (value === undefined) {
    throw apiError('InvalidField', `'${String(given['key'])}' is no key of the project's cart classification.`, {
      field: 'shippingRateInput.key',
      invalidValue: given['key'],
      allowedValues: values.map(({ key }) => key),
    });
  }
  return { ...given, label: value.label };
}

type Named = { readonly shippingKey?: string | undefined };

/** The cart, or one of several methods: both keep the custom fields of what is shipped as `shippingCustomFields`. */
function shippedIn(cart: Cart, { shippingKey: name }: Named): Pick<Shipping, 'shippingCustomFields'> {
  const shipped = name === undefined ? cart : cart.shipping.find((each) => each.shippingKey === name);
  if (shipped === undefined) throw invalidOperation(`There is no shipping method with the key '${name}'.`);
  return shipped;
}

interface Holder {
  custom?: NonNullable<Shipping['shippingCustomFields']>;
}

function customHolder(cart: Cart, named: Named): Holder {
  const shipped = shippedIn(cart, named);
  return {
    get custom() {
      return shipped.shippingCustomFields!;
    },
    set custom(value) {
      shipped.shippingCustomFields = value;
    },
  };
}

const setShippingCustomType = setCustomType(customHolder, { shippingKey: optional(key()) });

export const shippingPartActions: Readonly<Record<string, Action>> = {
  setShippingCustomType: {
    ...setShippingCustomType,
    apply: (document, input, context) => {
      // The engine calls it with carts; it would take the member away from the holder alone.
      if (input['type'] === undefined)
        delete shippedIn(document as unknown as Cart, input as Named).shippingCustomFields;
      else setShippingCustomType.apply(document, input, context);
    },
  },
  setShippingCustomField: setCustomField(customHolder, { shippingKey: optional(key()) }),
};
