import { type Rebuilding, rebuildSearch } from '../administration.ts';
import type { Config } from '../config.ts';
import { type Progress, showProgress } from '../progress.ts';
import { parseCommand, usageError } from './arguments.ts';
import { withBorrowedDatabase } from './database.ts';

const usage = 'Usage: npm run search:rebuild -- PROJECT';

const titles: Readonly<Record<Rebuilding['stage'], string>> = {
  documents: 'Making documents',
  products: 'Reading products',
  texts: 'Indexing texts',
  swap: 'Swapping indexes',
};

/** `search:rebuild PROJECT` has what a project is searched by made anew, and shows how far that is. */
export async function runSearchRebuildCommand(config: Config, args: readonly string[]): Promise<void> {
  const [projectKey, ...others] = parseCommand(args, {}, usage).positionals;
  if (projectKey === undefined || others.length > 0) throw usageError('The command takes the key of a project.', usage);
  await withBorrowedDatabase({ ...config, projectKey }, async (connected) => {
    let shown: { readonly stage: Rebuilding['stage']; readonly progress: Progress } | undefined;
    try {
      const hasBegun = await rebuildSearch(connected, ({ stage, done, total }) => {
        if (shown?.stage !== stage) {
          shown?.progress.end();
          shown = { stage, progress: showProgress(process.stdout, titles[stage]) };
        }
        if (total > 0) shown.progress.update(Math.min(done, total), total);
      });
      shown?.progress.end();
      shown = undefined;
      process.stdout.write(
        hasBegun
          ? `The search indexes of ${projectKey} are new.\n`
          : `No platform has begun to fill the search indexes of ${projectKey}; the next one that runs will.\n`,
      );
    } finally {
      shown?.progress.end();
    }
  });
}
