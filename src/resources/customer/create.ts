import { passwordHashName } from '../../engine/accounts.ts';
import type { ApplyContext, CreateRequest, Engine } from '../../engine/resource.ts';
import { concat, type Json } from '../../engine/json.ts';
import { parsedDraft } from '../../engine/operations/draft.ts';
import { planExtendedInsertion } from '../../engine/operations/extend.ts';
import type { Creation } from '../../engine/operations/plan.ts';
import type { Planned } from '../../engine/resource.ts';
import { represent } from '../../engine/operations/represent.ts';
import type { Insertion } from '../../engine/store.ts';
import { ApiError, apiError } from '../../errors/api-error.ts';
import type { ValueOf } from '../../fields/field.ts';
import type { Cart } from '../cart/fields.ts';
import { isNamed, type Plan, planOwned, takeOver, unlessStuck, type Visitor } from '../cart/offers.ts';
import { hashed, requiredPassword } from './actions.ts';
import { moveBelongings } from './belongings.ts';
import type { CustomerDraft, fields } from './fields.ts';
import { maskOf, requireStrong } from './password.ts';
import { heldBy } from './rules.ts';

/**
 * The customer of a draft, with the password as it was given and with what the draft says of the visitor: `signUp` takes
 * both out.
 */
export function customerOf(draft: CustomerDraft, context: ApplyContext): ValueOf<typeof fields> & Visitor {
  const {
    addresses: given,
    defaultShippingAddress,
    shippingAddresses,
    defaultBillingAddress,
    billingAddresses,
    ...others
  } = draft;
  const addresses = given.map((address) => ({ ...address, id: context.newId() }));
  const idAt = (member: string, index: number): string => {
    const address = addresses[index];
    if (address !== undefined) return address.id;
    throw apiError('InvalidField', `The field '${member}' names the address ${index}, but there are ${given.length}.`, {
      field: member,
      invalidValue: index,
    });
  };
  const idsAt = (member: string, indexes: readonly (number | undefined)[]): string[] => [
    ...new Set(indexes.flatMap((index) => (index === undefined ? [] : [idAt(member, index)]))),
  ];
  const [defaultShippingAddressId] = idsAt('defaultShippingAddress', [defaultShippingAddress]);
  const [defaultBillingAddressId] = idsAt('defaultBillingAddress', [defaultBillingAddress]);
  return {
    ...others,
    addresses,
    ...(defaultShippingAddressId !== undefined && { defaultShippingAddressId }),
    shippingAddressIds: idsAt('shippingAddresses', [...shippingAddresses, defaultShippingAddress]),
    ...(defaultBillingAddressId !== undefined && { defaultBillingAddressId }),
    billingAddressIds: idsAt('billingAddresses', [...billingAddresses, defaultBillingAddress]),
  };
}

/**
 * Creates a customer and gives `{ customer }`, with the cart that the visitor had: the one that the draft names, or that
 * of the session. Both are written in one commit; when somebody else changes the cart meanwhile, it is looked at again.
 */
export async function signUp(engine: Engine, request: CreateRequest, session?: string): Promise<Json> {
  const { context, resource } = request;
  // What `customerOf` made.
  const made = (await parsedDraft(engine, request)).body as unknown as ReturnType<typeof customerOf>;
  const { password, anonymousCart, anonymousCartId, anonymousId = session, ...body } = made;
  const visitor = { anonymousCart, anonymousCartId, anonymousId };
  let customer: Planned<Insertion> | undefined;
  const plan = async (cart: Cart | undefined): Promise<Plan<SignedIn>> => {
    // Once, and after the first look at the cart: to hash the password is costly, and extensions are asked about it.
    customer ??= await planExtendedInsertion(engine, {
      context,
      resource,
      ...(await withPassword(engine, context, body, password)),
    });
    const customerId = customer.write.id;
    // Who names a cart is signed up with it or not at all.
    const whenStuck = isNamed(visitor) ? 'refuse' : 'leave';
    const own = cart && (await unlessStuck(whenStuck, () => planOwned(engine, request, { cart, customerId })));
    return {
      planned: own === undefined ? [customer] : [customer, own],
      result: { customer: customer.write.json, cart: own?.write.json },
    };
  };
  try {
    const done = await takeOver(engine, request, { ...visitor, plan });
    const customerId = customer!.write.id;
    if (anonymousId !== undefined) await moveBelongings(engine, context, { anonymousId, customerId });
    return await signedIn(engine, request, done);
  } catch (error) {
    // Who signs up once more names a cart that went with the first time.
    const isRefused = error instanceof ApiError && error.code === 'InvalidOperation';
    throw (isRefused ? await duplicateOf(engine, request, body) : undefined) ?? error;
  }
}

/** The error for a customer who cannot be there beside another; undefined where there is no such one. */
async function duplicateOf(
  engine: Engine,
  { context, resource }: Pick<CreateRequest, 'context' | 'resource'>,
  body: Parameters<typeof heldBy>[0],
): Promise<ApiError | undefined> {
  for (const unique of heldBy(body)) {
    const holder = await engine.store.findSecrets(context.project.key, { kind: resource.kind, unique });
    if (holder === undefined) continue;
    const { field, shown: duplicateValue = unique.value } = unique;
    const message = `A duplicate value '${duplicateValue}' exists for field '${field}'.`;
    return apiError('DuplicateField', message, { field, duplicateValue });
  }
  return undefined;
}

/** A password counts only for those who sign in with one. */
async function withPassword(
  engine: Engine,
  context: CreateRequest['context'],
  body: Omit<ValueOf<typeof fields>, 'password'>,
  given: string | undefined,
): Promise<Pick<Creation, 'body' | 'secrets'>> {
  if (body.authenticationMode === 'ExternalAuth') return { body };
  const password = requiredPassword(given);
  requireStrong(password, context.project.settings);
  const hash = await hashed(engine, context, password);
  return { body: { ...body, password: maskOf(hash) }, secrets: { [passwordHashName]: hash } };
}

interface SignedIn {
  readonly customer: Json;
  readonly cart: Json | undefined;
}

/** What a sign-up or a sign-in answers with. */
export async function signedIn(
  engine: Engine,
  { context, expand }: Pick<CreateRequest, 'context' | 'expand'>,
  { customer, cart }: SignedIn,
): Promise<Json> {
  const [shown] = await represent(engine, context, [customer], expand);
  return concat(['{"customer":', shown!, ...(cart === undefined ? [] : [',"cart":', cart]), '}']);
}
