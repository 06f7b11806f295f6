import { parseArgs, type ParseArgsConfig } from 'node:util';

/** What is wrong with a command line in one sentence, and below it how the command is used. */
export function usageError(sentence: string, usage: string): Error {
  return new Error(`${sentence}\n${usage}`);
}

/** The positional arguments and options of a command; an option that it does not have is an error with its usage. */
export function parseCommand<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The parser goes on to explain its own conventions.
    throw usageError(`${error.message.split('. ')[0]!.replace(/\.$/, '')}.`, usage);
  }
}
