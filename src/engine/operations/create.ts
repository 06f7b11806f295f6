import { randomUUID } from 'node:crypto';
import { Parsing } from '../../fields/parsing.ts';
import { parseObject } from '../../fields/object.ts';
import type { RequestContext } from '../context.ts';
import type { Document, Resource } from '../define.ts';
import type { Engine } from '../engine.ts';
import { load } from '../load.ts';
import { represent } from './represent.ts';
import { checkRules, checkedText, heldValues, initiatorOf, strongReferences, trueFlags } from './write.ts';

export interface CreateRequest {
  readonly context: RequestContext;
  readonly resource: Resource;
  /** The draft as the client sent it. */
  readonly draft: unknown;
  readonly expand: readonly string[];
}

/** Creates a resource from a draft and gives its representation as JSON text. */
export async function create(engine: Engine, request: CreateRequest): Promise<string> {
  const { context, resource } = request;
  const project = context.project.key;
  const parsing = new Parsing();
  const draft = parseObject(resource.draft, request.draft, parsing);
  parsing.settle();
  await load(engine, project, { lookups: [], identifiers: parsing.identifiers });
  // settle() has thrown when the draft has faults.
  const body = resource.create(draft!, { project: context.project, newId: randomUUID });
  const document = stamped(body, context);
  resource.derive(document);
  checkRules(resource, document);
  const text = checkedText(document);
  await engine.store.insert(project, {
    kind: resource.kind,
    document,
    references: strongReferences(resource, document),
    uniqueValues: heldValues(resource, document),
    exclusiveFlags: trueFlags(resource, document),
    maxPerProject: resource.maxPerProject,
  });
  const [representation] = await represent(engine, context, [text], request.expand);
  return representation!;
}

function stamped(body: Record<string, unknown>, context: RequestContext): Document {
  const now = new Date().toISOString();
  const initiator = initiatorOf(context);
  return {
    id: randomUUID(),
    version: 1,
    createdAt: now,
    lastModifiedAt: now,
    createdBy: initiator,
    lastModifiedBy: initiator,
    ...body,
  };
}
