import { explainStoredCart } from '../background.ts';
import type { Config } from '../config.ts';
import { parseCommand, usageError } from './arguments.ts';
import { withBorrowedDatabase } from './database.ts';

const usage = 'Usage: npm run explain-cart -- PROJECT ID';

/** Prints the steps in which a cart is computed, with their amounts, and the discounts that are not applied and why. */
export async function runExplainCartCommand(config: Config, args: readonly string[]): Promise<void> {
  const [projectKey, id, ...others] = parseCommand(args, {}, usage).positionals;
  if (projectKey === undefined || id === undefined || others.length > 0)
    throw usageError('The command takes the key of a project and the id of a cart.', usage);
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) throw usageError(`'${id}' is no id.`, usage);
  await withBorrowedDatabase({ ...config, projectKey }, async (connected) => {
    const explanations = await explainStoredCart(connected, id);
    if (explanations === undefined) throw new Error(`The project '${projectKey}' has no cart '${id}'.`);
    const lines = explanations.flatMap(({ step, lines }) => [step, ...lines.map((line) => `  ${line}`)]);
    process.stdout.write(`${lines.join('\n')}\n`);
  });
}
