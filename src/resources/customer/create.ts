import { passwordHashName } from '../../engine/accounts.ts';
import type { ApplyContext } from '../../engine/define.ts';
import type { Engine } from '../../engine/engine.ts';
import { concat, type Json } from '../../engine/json.ts';
import { tryCommit } from '../../engine/operations/commit.ts';
import { type CreateRequest, parsedDraft } from '../../engine/operations/draft.ts';
import { type Creation, planInsertion } from '../../engine/operations/plan.ts';
import { represent } from '../../engine/operations/represent.ts';
import { apiError } from '../../errors/api-error.ts';
import type { ValueOf } from '../../fields/field.ts';
import { cartIsBusy, isNamed, planOwned, takeOversMax, type Visitor, visitorsCart } from '../cart/offers.ts';
import { hashed, requiredPassword } from './actions.ts';
import type { CustomerDraft, fields } from './fields.ts';
import { maskOf, requireStrong } from './password.ts';

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
  const made = (await parsedDraft(engine, request)) as unknown as ReturnType<typeof customerOf>;
  const { password, anonymousCart, anonymousCartId, anonymousId = session, ...body } = made;
  const visitor = { anonymousCart, anonymousCartId, anonymousId };
  // Before the password is hashed, which is costly.
  let cart = await visitorsCart(engine, request, visitor);
  const secured = await withPassword(engine, context, body, password);
  const customer = await planInsertion(engine, { context, resource, ...secured });
  for (let tries = 1; ; tries += 1) {
    const own = cart && (await planOwned(engine, request, { cart, customerId: customer.write.id }));
    const planned = own === undefined ? [customer] : [customer, own];
    const outcome = await tryCommit(engine, context, planned);
    if (outcome.isDone) return signedIn(engine, request, { customer: customer.write.json, cart: own?.write.json });
    if (tries === takeOversMax && isNamed(visitor)) throw cartIsBusy();
    // Who named no cart is signed up without the one that others do not let go.
    cart = tries < takeOversMax ? await visitorsCart(engine, request, visitor) : undefined;
  }
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

/** What a sign-up or a sign-in answers with. */
export async function signedIn(
  engine: Engine,
  { context, expand }: Pick<CreateRequest, 'context' | 'expand'>,
  { customer, cart }: { readonly customer: Json; readonly cart: Json | undefined },
): Promise<Json> {
  const [shown] = await represent(engine, context, [customer], expand);
  return concat(['{"customer":', shown!, ...(cart === undefined ? [] : [',"cart":', cart]), '}']);
}
