import type { Shopper } from '../../engine/context.ts';
import type { Endpoint, EndpointRequest } from '../../engine/resource.ts';
import { endpoint } from '../../engine/endpoint.ts';
import { assigned, assignedOptional, defaulted, optional, required } from '../../fields/field.ts';
import { initiator } from '../../fields/initiator.ts';
import { boolean, dateTime, integer, text } from '../../fields/scalar.ts';
import { anonymousCartId, cartSignInMode, visitor } from '../cart/fields.ts';
import {
  changePassword,
  confirmEmail,
  createEmailToken,
  createPasswordToken,
  customerByToken,
  resetPassword,
  signIn,
} from './account.ts';
import { signUp } from './create.ts';
import { draft, newPassword, ownMembers } from './fields.ts';

const posted = { method: 'POST', isInStore: true } as const;
const managed = { ...posted, scopes: ['manage_customers', 'manage_customers:{storeKey}'] };
const own = { ...posted, scopes: ['manage_my_profile', 'manage_my_profile:{storeKey}'] };
const ofCustomer = { ...own, shoppers: ['customer'] as readonly Shopper[] };
/** A customer by a token, which ends at a time. */
const viewed = {
  isInStore: true,
  scopes: ['view_customers', 'view_customers:{storeKey}'],
  answer: 'one',
  isKept: false,
} as const;

const minutesMax = 43_200;
const passwordMinutes = 1440;
const ttlMinutes = integer({ min: 1, max: minutesMax, type: 'Int' });
const invalidateOlderTokens = defaulted(boolean(), () => false);
/** Whoever has another address is not found. */
const someEmail = text(['jane@example.org']);
const version = optional(integer());
const tokenValue = text();

const token = {
  id: assigned(text()),
  version: assigned(integer()),
  customerId: assigned(text()),
  value: assigned(text()),
  expiresAt: assigned(dateTime()),
  invalidateOlderTokens: assigned(boolean()),
  createdAt: assigned(dateTime()),
  lastModifiedAt: assigned(dateTime()),
  createdBy: assignedOptional(initiator()),
  lastModifiedBy: assignedOptional(initiator()),
};

const signInMode = cartSignInMode('AnonymousCartSignInMode');

const credentials = {
  email: required(someEmail),
  password: required(newPassword),
  updateProductData: defaulted(boolean(), () => false),
};

const login = endpoint({
  path: '/login',
  ...managed,
  body: {
    ...credentials,
    anonymousCartSignInMode: signInMode,
    ...visitor,
    anonymousCartId,
  },
  answer: 'created',
  status: 200,
  mutation: { name: 'customerSignIn', draft: 'CustomerSignInDraft' },
  run: (engine, { body, ...request }) => signIn(engine, request, { ...body, mergeMode: body.anonymousCartSignInMode }),
});

const myLogin = endpoint({
  path: '/me/login',
  ...own,
  body: { ...credentials, activeCartSignInMode: signInMode },
  answer: 'created',
  status: 200,
  mutation: { name: 'customerSignMeIn', draft: 'CustomerSignMeInDraft' },
  run: (engine, { body, ...request }) =>
    signIn(engine, request, { ...body, mergeMode: body.activeCartSignInMode, anonymousId: visitorIn(request) }),
});

const mySignUp = endpoint({
  path: '/me/signup',
  ...own,
  body: Object.fromEntries(Object.entries(draft).filter(([name]) => ownMembers.has(name))),
  answer: 'created',
  mutation: { name: 'customerSignMeUp', draft: 'CustomerSignMeUpDraft' },
  run: (engine, request) => {
    return signUp(engine, { ...request, resource: request.resource.mine!.resource }, visitorIn(request));
  },
});

const passwordChange = {
  version: required(integer()),
  currentPassword: required(newPassword),
  newPassword: required(newPassword),
};

const password = endpoint({
  path: 'password',
  ...managed,
  body: { id: required(text()), ...passwordChange },
  answer: 'one',
  mutation: { name: 'customerChangePassword' },
  run: (engine, request) => changePassword(engine, request, request.body),
});

const myPassword = endpoint({
  path: '/me/password',
  ...ofCustomer,
  body: passwordChange,
  answer: 'one',
  mutation: { name: 'customerChangeMyPassword' },
  run: (engine, request) => changePassword(engine, request, { ...request.body, id: shopperIn(request) }),
});

const passwordToken = endpoint({
  path: 'password-token',
  ...managed,
  body: { email: required(someEmail), ttlMinutes: defaulted(ttlMinutes, () => passwordMinutes), invalidateOlderTokens },
  answer: token,
  mutation: { name: 'customerCreatePasswordResetToken', answer: 'CustomerPasswordToken' },
  run: (engine, request) => createPasswordToken(engine, request, request.body),
});

const byPasswordToken = endpoint({
  path: 'password-token={passwordToken}',
  ...viewed,
  parameters: { passwordToken: required(tokenValue) },
  query: { name: 'customer', args: { passwordToken: 'passwordToken' } },
  run: (engine, request) =>
    customerByToken(engine, request, { tokenValue: request.parameters.passwordToken, purpose: 'password' }),
});

const reset = { tokenValue: required(tokenValue), newPassword: required(newPassword) };

const passwordReset = endpoint({
  path: 'password/reset',
  ...managed,
  body: { ...reset, version },
  answer: 'one',
  mutation: { name: 'customerResetPassword' },
  run: (engine, request) => resetPassword(engine, request, request.body),
});

const myPasswordReset = endpoint({
  path: '/me/password/reset',
  ...ofCustomer,
  body: reset,
  answer: 'one',
  mutation: { name: 'customerResetMyPassword' },
  run: (engine, request) => resetPassword(engine, request, { ...request.body, id: shopperIn(request) }),
});

const emailToken = endpoint({
  path: 'email-token',
  ...managed,
  body: { id: required(text()), version, ttlMinutes: required(ttlMinutes), invalidateOlderTokens },
  answer: token,
  mutation: { name: 'customerCreateEmailVerificationToken', answer: 'CustomerEmailToken!' },
  run: (engine, request) => createEmailToken(engine, request, request.body),
});

const byEmailToken = endpoint({
  path: 'email-token={emailToken}',
  ...viewed,
  parameters: { emailToken: required(tokenValue) },
  query: { name: 'customer', args: { emailToken: 'emailToken' } },
  run: (engine, request) =>
    customerByToken(engine, request, { tokenValue: request.parameters.emailToken, purpose: 'email' }),
});

const emailConfirm = endpoint({
  path: 'email/confirm',
  ...managed,
  body: { tokenValue: required(tokenValue), version },
  answer: 'one',
  mutation: { name: 'customerConfirmEmail' },
  run: (engine, request) => confirmEmail(engine, request, request.body),
});

const myEmailConfirm = endpoint({
  path: '/me/email/confirm',
  ...ofCustomer,
  body: { tokenValue: required(tokenValue) },
  answer: 'one',
  mutation: { name: 'customerConfirmMyEmail' },
  run: (engine, request) => confirmEmail(engine, request, { ...request.body, id: shopperIn(request) }),
});

/** Whose cart is taken over: that of the anonymous session, where the token is of one. */
function visitorIn({ context }: Pick<EndpointRequest, 'context'>): string | undefined {
  const { shopper } = context.principal;
  return shopper?.kind === 'anonymous' ? shopper.id : undefined;
}

/** The adapter lets shoppers through alone. */
function shopperIn({ context }: Pick<EndpointRequest, 'context'>): string {
  return context.principal.shopper!.id;
}

export const endpoints: readonly Endpoint[] = [
  login,
  password,
  passwordToken,
  byPasswordToken,
  passwordReset,
  emailToken,
  byEmailToken,
  emailConfirm,
  myLogin,
  mySignUp,
  myPassword,
  myPasswordReset,
  myEmailConfirm,
];
