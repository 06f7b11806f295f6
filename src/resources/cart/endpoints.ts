import { endpoint } from '../../engine/endpoint.ts';
import { ownerOf } from '../../engine/access.ts';
import { defaulted, required } from '../../fields/field.ts';
import { boolean, text } from '../../fields/scalar.ts';
import { cartSignInMode, visitor } from './fields.ts';
import { activeCart, customerOwner, mergeCarts } from './merge.ts';

const customerId = { customerId: required(text()) };

const ofCustomer = endpoint({
  path: 'customer-id={customerId}',
  isInStore: true,
  scopes: ['view_orders', 'view_orders:{storeKey}'],
  parameters: customerId,
  query: { name: 'customerActiveCart', args: { customerId: 'customerId' } },
  answer: 'one',
  run: (engine, request) => activeCart(engine, request, customerOwner(request, request.parameters.customerId)),
});

const merge = endpoint({
  path: 'customer-id={customerId}/merge',
  method: 'POST',
  isInStore: true,
  scopes: ['manage_orders', 'manage_orders:{storeKey}'],
  parameters: customerId,
  body: {
    ...visitor,
    mergeMode: cartSignInMode('CartMergeMode'),
    updateProductData: defaulted(boolean(), () => false),
  },
  answer: 'one',
  run: (engine, request) => mergeCarts(engine, request, { ...request.body, ...request.parameters }),
});

const mine = endpoint({
  path: '/me/active-cart',
  isInStore: true,
  scopes: ['manage_my_orders', 'manage_my_orders:{storeKey}'],
  shoppers: ['customer', 'anonymous'],
  query: { name: 'activeCart', args: {} },
  answer: 'one',
  run: (engine, request) => activeCart(engine, request, ownerOf(request.resource.mine!, request.context)),
});

export const endpoints = [ofCustomer, merge, mine];
