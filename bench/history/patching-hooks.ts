/** Hooks of the module loader. */
import type { LoadHook } from 'node:module';
import { type PatchName, patches } from './patches.ts';

const names = JSON.parse(process.env['HISTORY_PATCHES'] ?? '[]') as readonly PatchName[];
const built = new URL('../../src/', import.meta.url).href;

export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  const wanted = names.map((name) => ({ name, ...patches[name] })).filter(({ file }) => url === `${built}${file}`);
  if (wanted.length === 0) return loaded;
  // The source of a module is bytes.
  let text = Buffer.from(loaded.source as Uint8Array).toString();
  for (const { name, changes } of wanted) {
    for (const [found, replacement] of changes) {
      if (text.split(found).length !== 2) throw new Error(`'${name}' does not fit: '${found}' is not in ${url} once.`);
      text = text.replace(found, () => replacement);
    }
  }
  return { ...loaded, source: text };
};
