import { passwordHashName } from '../../engine/accounts.ts';
import type { ApplyContext } from '../../engine/define.ts';
import type { Engine } from '../../engine/engine.ts';
import { concat, documentOf, type Json } from '../../engine/json.ts';
import { type CreateRequest, insert, parsedDraft } from '../../engine/operations/insert.ts';
import { represent } from '../../engine/operations/represent.ts';
import { ApiError, apiError } from '../../errors/api-error.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import type { ValueOf } from '../../fields/field.ts';
import { hashed, requiredPassword } from './actions.ts';
import type { CustomerDraft, fields } from './fields.ts';
import { maskOf, requireStrong } from './password.ts';
import { requireTakeOver, takenOver, type Visitor } from './visitor.ts';

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
 * Creates a customer and gives `{ customer }`, with the cart that the visitor had: the one that the draft
 * names, or that of the session.
 */
export async function signUp(engine: Engine, request: CreateRequest, session?: string): Promise<Json> {
  const { context, resource } = request;
  // What `customerOf` made.
  const made = (await parsedDraft(engine, request)) as unknown as ReturnType<typeof customerOf>;
  const { password, anonymousCart, anonymousCartId, anonymousId = session, ...body } = made;
  const visitor = { anonymousCart, anonymousCartId, anonymousId };
  await requireTakeOver(engine, request, visitor);
  const text = await insert(engine, context, { resource, ...(await withPassword(engine, context, body, password)) });
  const { id } = documentOf(text);
  // Whoever has just come has no other cart.
  const mergeMode = 'UseAsNewActiveCustomerCart';
  const cart = await takenOver(engine, request, { ...visitor, customerId: id, mergeMode }).catch(nobodysCart);
  return signedIn(engine, request, { customer: text, cart });
}

/** The customer is there, so a cart that somebody else took meanwhile is no fault of the sign-up. */
function nobodysCart(error: unknown): undefined {
  if (error instanceof ApiError && lost.has(error.errors[0].code)) return undefined;
  throw error;
}

const lost: ReadonlySet<ErrorCode> = new Set(['InvalidOperation', 'ResourceNotFound', 'ConcurrentModification']);

/** A password counts only for those who sign in with one. */
async function withPassword(
  engine: Engine,
  context: CreateRequest['context'],
  body: Omit<ValueOf<typeof fields>, 'password'>,
  given: string | undefined,
): Promise<Pick<Parameters<typeof insert>[2], 'body' | 'secrets'>> {
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
