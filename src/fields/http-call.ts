/** What a project says of a server that the platform calls for it. */
import { type FieldKind, refined, required } from './field.ts';
import { oneOf, type Tagged } from './one-of.ts';
import { text } from './scalar.ts';

export function httpUrl(example: string): FieldKind<string> {
  return refined(text([example]), (url, parsing) =>
    isHttpUrl(url) ? url : parsing.wrongValue(url, 'a URL of HTTP or HTTPS without a user'),
  );
}

/** What a URL says of a user is shown to all who read it. */
function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** The value of a header, which is sent as it is. */
export function headerValue(example: string): FieldKind<string> {
  return refined(text([example]), (value, parsing) =>
    /^[\x21-\x7e][\x20-\x7e]{0,4095}$/.test(value)
      ? value
      : parsing.wrongValue(value, 'a header value of at most 4096 visible ASCII characters and blanks'),
  );
}

/** How a server is told who calls it. Its secret is for whoever stores it to keep apart. */
export const httpAuthentication = oneOf(
  'HttpDestinationAuthentication',
  {
    AuthorizationHeader: {
      typeName: 'AuthorizationHeader',
      input: 'AuthorizationHeaderInput',
      fields: { headerValue: required(headerValue('Basic ZXhhbXBsZQ==')) },
    },
    AzureFunctions: {
      typeName: 'AzureFunctionsAuthentication',
      input: 'AzureFunctionsAuthenticationInput',
      fields: { key: required(headerValue('example-key')) },
    },
  },
  { input: 'HttpDestinationAuthenticationInput' },
);

/** The member of each form of authentication that is a secret, and the header that it is sent in. */
export function secretOf({ type }: Tagged): { readonly member: string; readonly header: string } {
  return type === 'AzureFunctions'
    ? { member: 'key', header: 'x-functions-key' }
    : { member: 'headerValue', header: 'Authorization' };
}

/** In place of a secret, which nobody reads again. */
export const mask = '****';
