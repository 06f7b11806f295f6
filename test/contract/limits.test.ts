import t from 'tap';
import { allResources } from '../../src/resources/all.ts';
import { contractResources } from '../support/contract-kinds.ts';
import {
  another,
  type Created,
  createdOf,
  createTargets,
  minimalDraft,
  removeAt,
  targetsOf,
} from '../support/example-drafts.ts';
import { startPlatform } from '../support/platform.ts';

/** Kinds of which others use one up each time. */
const used = new Set(
  allResources.flatMap(({ draft, examples }) =>
    targetsOf(examples.used.map((member) => draft[member]!.kind.examples)).map(({ typeId }) => typeId),
  ),
);

/** Leaves room for what other kinds refer to. */
function limitOf(kind: string): number {
  return used.has(kind) ? 9 : 3;
}

const platform = await startPlatform(t, {
  resourceLimits: allResources.map(({ kind }) => `${kind}=${limitOf(kind)}`).join(','),
});

for (const resource of contractResources) {
  const { kind, path } = resource;
  const limit = limitOf(kind);
  t.test(`a project has ${limit} resources of kind ${kind} and no more`, async (t) => {
    const project = await platform.anotherProject();
    const minimal = minimalDraft(resource, project);
    await createTargets(project, minimal);
    const { body: page } = await project.request('GET', `/${path}`);
    let last: Created | undefined;
    for (let index = Number(page['total']); index < limit; index += 1) {
      const { status, body } = await project.request('POST', `/${path}`, another(resource, minimal, `n${index}`));
      t.equal(status, 201);
      last = createdOf(resource, body);
    }
    const onceMore = another(resource, minimal, 'more');
    for (const attempt of ['first', 'second']) {
      t.match(
        await project.request('POST', `/${path}`, onceMore),
        { status: 400, body: { errors: [{ code: 'MaxResourceLimitExceeded', exceededResource: kind }] } },
        `${attempt} attempt beyond the limit`,
      );
    }
    t.equal((await removeAt(project, resource, last!)).status, 200);
    t.equal((await project.request('POST', `/${path}`, onceMore)).status, 201, 'after a deletion one fits again');
    t.match((await project.request('GET', `/${path}`)).body, { total: limit });
  });
}
