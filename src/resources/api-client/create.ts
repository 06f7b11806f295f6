import { apiError } from '../../errors/api-error.ts';
import type { CreateRequest, Engine } from '../../engine/resource.ts';
import { documentOf, type Json } from '../../engine/json.ts';
import { commit } from '../../engine/operations/commit.ts';
import { parsedDraft } from '../../engine/operations/draft.ts';
import { planInsertion } from '../../engine/operations/plan.ts';
import { hashOf, randomSecret, secretHashName } from '../../engine/secrets.ts';

const scopesMax = 200;

/** Creates a client and gives its representation with the secret, which is not stored and never shown again. */
export async function createClient(engine: Engine, request: CreateRequest): Promise<Json> {
  const { context, resource } = request;
  const { body: given } = await parsedDraft(engine, request);
  // The draft has a scope, which is text.
  const scopes = [...new Set((given['scope'] as string).split(' ').filter((scope) => scope !== ''))];
  if (scopes.length === 0 || scopes.length > scopesMax) {
    throw apiError('InvalidField', `A client has 1 to ${scopesMax} scopes, but ${scopes.length} were given.`, {
      field: 'scope',
      invalidValue: given['scope'],
    });
  }
  // Whoever makes a client must not get more by it than it has.
  const refused = scopes.filter((scope) => !context.principal.mayHandOut(scope));
  if (refused.length > 0) {
    throw apiError(
      'InvalidField',
      `A client can be given scopes that exist and that its creator has, unlike: ${refused.join(', ')}.`,
      {
        field: 'scope',
        invalidValue: refused.join(' '),
      },
    );
  }
  const secret = randomSecret();
  const planned = await planInsertion(engine, {
    context,
    resource,
    body: { ...given, scope: scopes.join(' ') },
    secrets: { [secretHashName]: hashOf(secret).toString('hex') },
  });
  await commit(engine, context, [planned]);
  return JSON.stringify({ ...documentOf(planned.write.json), secret });
}
