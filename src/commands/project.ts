import { createProject } from '../administration.ts';
import { isProjectKey } from '../auth/scopes.ts';
import { credentialLines } from '../banner.ts';
import type { Config } from '../config.ts';
import { isCountryCode } from '../fields/country.ts';
import { isLocale } from '../fields/scalar.ts';
import { fractionDigitsOf } from '../money/currency.ts';
import { parseCommand, usageError } from './arguments.ts';
import { withBorrowedDatabase } from './database.ts';

const usage = `Usage: npm run project -- create KEY [--name TEXT] [--countries DE,US] [--currencies EUR,USD] [--languages en,de]
Without options the name is the key, the country DE, the currency EUR and the language en.`;

/** `project create KEY` makes a project and an API client that may do everything in it, and prints what it needs. */
export async function runProjectCommand(config: Config, args: readonly string[]): Promise<void> {
  const { key, settings } = parseProjectArguments(args);
  await withBorrowedDatabase({ ...config, projectKey: key }, async (connected) => {
    const client = await createProject(connected, settings);
    if (client === undefined) throw new Error(`There is a project '${key}' already.`);
    process.stdout.write(`${credentialLines(connected, client).join('\n')}\n`);
  });
}

type Settings = Parameters<typeof createProject>[1];

function parseProjectArguments(args: readonly string[]): { key: string; settings: Settings } {
  const options = {
    name: { type: 'string' },
    countries: { type: 'string', default: 'DE' },
    currencies: { type: 'string', default: 'EUR' },
    languages: { type: 'string', default: 'en' },
  } as const;
  const { values, positionals } = parseCommand(args, options, usage);
  const [verb, key, ...others] = positionals;
  if (verb !== 'create' || key === undefined || others.length > 0)
    throw usageError('The command takes the word create and the key of the new project.', usage);
  const faults: string[] = [];
  if (!isProjectKey(key)) faults.push(`the key is '${key}', but 2 to 36 of a-z, 0-9, _ and - are expected`);
  const name = values.name ?? key;
  if (name.trim() === '') faults.push('--name is empty');
  const settings = {
    name,
    countries: listOf('countries', values.countries, { isValid: isCountryCode, expected: 'country codes such as DE' }),
    currencies: listOf('currencies', values.currencies, {
      isValid: isCurrency,
      expected: 'currency codes such as EUR',
    }),
    languages: listOf('languages', values.languages, { isValid: isLocale, expected: 'languages such as en or en-US' }),
  };
  if (faults.length > 0) throw usageError(`The project cannot be created: ${faults.join('; ')}.`, usage);
  return { key, settings };

  function listOf(
    option: string,
    text: string,
    { isValid, expected }: { isValid: (value: string) => boolean; expected: string },
  ): readonly string[] {
    const items = [...new Set(text.split(',').map((item) => item.trim()))];
    const wrong = items.filter((item) => !isValid(item)).map((item) => `'${item}'`);
    if (wrong.length > 0) faults.push(`--${option} has ${wrong.join(' and ')}, but ${expected} are expected`);
    return items;
  }
}

function isCurrency(code: string): boolean {
  return fractionDigitsOf(code) !== undefined;
}
