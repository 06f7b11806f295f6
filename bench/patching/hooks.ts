/** Hooks of the module loader. */
import type { LoadHook } from 'node:module';
import { patched, patchesIn } from './patch.ts';

const patches = patchesIn(process.env);
const built = new URL('../../src/', import.meta.url).href;

export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  const wanted = patches.filter(({ file }) => url === `${built}${file}`);
  if (wanted.length === 0) return loaded;
  // The source of a module is bytes.
  const source = Buffer.from(loaded.source as Uint8Array).toString();
  return { ...loaded, source: wanted.reduce(patched, source) };
};
