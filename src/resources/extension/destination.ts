import { optional, required } from '../../fields/field.ts';
import { httpAuthentication, httpUrl, mask, secretOf } from '../../fields/http-call.ts';
import { type Branch, oneOf, type Tagged } from '../../fields/one-of.ts';
import { text } from '../../fields/scalar.ts';

/** Calls of other clouds than those that speak plain HTTP are signed in ways of their own. */
const notCalled: Pick<Branch, 'check' | 'examples'> = {
  check: ({ type }, parsing) =>
    parsing.fault(
      'InvalidInput',
      (field) => `The destination '${field}' of type ${String(type)} is not available in this version; HTTP is.`,
    ),
  examples: [],
};

export const destination = oneOf(
  'ExtensionDestination',
  {
    HTTP: {
      typeName: 'HttpDestination',
      input: 'HttpDestinationInput',
      fields: {
        url: required(httpUrl('https://extensions.example.org/carts')),
        authentication: optional(httpAuthentication),
      },
    },
    AWSLambda: {
      typeName: 'AWSLambdaDestination',
      input: 'AWSLambdaDestinationInput',
      fields: { arn: required(text()), accessKey: required(text()), accessSecret: required(text()) },
      ...notCalled,
    },
    GoogleCloudFunction: {
      typeName: 'GoogleCloudFunctionDestination',
      input: 'GoogleCloudFunctionDestinationInput',
      fields: { url: required(text()) },
      ...notCalled,
    },
  },
  { input: 'ExtensionDestinationInput' },
);

/** The name of the secret in what is kept beside the document. */
const secretName = 'authentication';

/** The destination as it is stored and read. Its secret goes to `internals`. */
export function masked(given: Tagged, internals: Record<string, unknown>): Tagged {
  delete internals[secretName];
  // The destination was parsed by its kind.
  const authenticated = given['authentication'] as Tagged | undefined;
  if (authenticated === undefined) return given;
  const { member } = secretOf(authenticated);
  internals[secretName] = authenticated[member];
  return { ...given, authentication: { ...authenticated, [member]: mask } };
}

/** Where an extension is called, and the header that says who calls it. */
export function calledAt(
  stored: Tagged,
  internals: Readonly<Record<string, unknown>>,
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  const authenticated = stored['authentication'] as Tagged | undefined;
  const headers =
    authenticated === undefined ? {} : { [secretOf(authenticated).header]: String(internals[secretName]) };
  return { url: String(stored['url']), headers };
}
