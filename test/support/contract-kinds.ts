import type { Test } from 'tap';
import type { Resource } from '../../src/engine/resource.ts';
import { allResources } from '../../src/resources/all.ts';

const { CONTRACT_KIND: only } = process.env;

/** What the contract tests test: all resources, or with CONTRACT_KIND the one of that kind. */
export const contractResources = allResources
  // Nobody creates messages: test/api/messages.test.ts is about them.
  .filter(({ lifecycle }) => lifecycle !== 'told')
  .filter(({ kind }) => only === undefined || kind === only);

if (contractResources.length === 0) throw new Error(`There is no kind ${only} that CONTRACT_KIND could name.`);

/** Those of them that a test is meant for. A file without a test would never end. */
export function contractKinds(t: Pick<Test, 'test'>, isMeant: (resource: Resource) => boolean): readonly Resource[] {
  const meant = contractResources.filter(isMeant);
  if (meant.length === 0) void t.test(`${only} has nothing of it`, async (t) => void t.pass());
  return meant;
}
