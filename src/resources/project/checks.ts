import type { Check } from '../../engine/resource.ts';
import { queriedKind } from '../../engine/operations/query.ts';
import type { Settings } from './fields.ts';

/** A language cannot be taken from a project while one of its stores speaks it. */
export const languageInUse: Check = async (engine, { before, after, project }) => {
  if (before === undefined) return undefined;
  const languagesOf = (document: unknown): readonly string[] => (document as Settings).languages;
  const removed = languagesOf(before).filter((language) => !languagesOf(after).includes(language));
  if (removed.length === 0) return undefined;
  const [store] = await engine.store.query(project, {
    ...queriedKind(engine, engine.registry.byKind.get('store')!),
    where: [
      { kind: 'field', name: 'languages', holds: 'list', test: { kind: 'contains', mode: 'any', literals: removed } },
    ],
    sort: [],
    limit: 1,
    offset: 0,
  });
  if (store === undefined) return undefined;
  return {
    code: 'LanguageUsedInStores',
    message: `The languages ${removed.join(', ')} cannot be removed: the store '${store.key}' uses one of them.`,
  };
};
