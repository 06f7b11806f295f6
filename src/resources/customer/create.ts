import { passwordHashName } from '../../engine/accounts.ts';
import type { ApplyContext } from '../../engine/define.ts';
import type { Engine } from '../../engine/engine.ts';
import { type CreateRequest, insert, parsedDraft } from '../../engine/operations/create.ts';
import { represent } from '../../engine/operations/represent.ts';
import { apiError } from '../../errors/api-error.ts';
import type { ValueOf } from '../../fields/field.ts';
import { requiredPassword } from './actions.ts';
import type { CustomerDraft, fields } from './fields.ts';
import { maskOf, requireStrong } from './password.ts';

/** The customer of a draft, with the password as it was given: `signUp` puts the mask in its place. */
export function customerOf(draft: CustomerDraft, context: ApplyContext): ValueOf<typeof fields> {
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

/** Creates a customer and gives `{ customer }` as JSON text. A password counts only for those who sign in with one. */
export async function signUp(engine: Engine, request: CreateRequest): Promise<string> {
  const { context, resource } = request;
  // What `customerOf` made.
  const { password: given, ...body } = (await parsedDraft(engine, request)) as ValueOf<typeof fields>;
  if (body.authenticationMode === 'ExternalAuth') {
    return signedIn(engine, request, await insert(engine, context, { resource, body }));
  }
  const password = requiredPassword(given);
  requireStrong(password, context.project.settings);
  const hash = await engine.passwords.hash(password);
  const text = await insert(engine, context, {
    resource,
    body: { ...body, password: maskOf(hash) },
    secrets: { [passwordHashName]: hash },
  });
  return signedIn(engine, request, text);
}

/** What a sign-up or a sign-in answers with. */
export async function signedIn(
  engine: Engine,
  { context, expand }: Pick<CreateRequest, 'context' | 'expand'>,
  text: string,
): Promise<string> {
  const [customer] = await represent(engine, context, [text], expand);
  return `{"customer":${customer}}`;
}
