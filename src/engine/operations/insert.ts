import { randomUUID } from 'node:crypto';
import { Parsing } from '../../fields/parsing.ts';
import { parseObject } from '../../fields/object.ts';
import type { RequestContext } from '../context.ts';
import type { Document, Resource } from '../define.ts';
import type { Engine } from '../engine.ts';
import { checkDescribed } from '../describe.ts';
import { draftInPlace, type Place } from '../place.ts';
import { load } from '../load.ts';
import { requireOwnStores } from '../scoped-stores.ts';
import {
  applyContextOf,
  checkRules,
  checkedText,
  heldValues,
  initiatorOf,
  keyOf,
  strongReferences,
  trueFlags,
} from './write.ts';

export interface CreateRequest extends Place {
  readonly context: RequestContext;
  readonly resource: Resource;
  /** The draft as the client sent it. */
  readonly draft: unknown;
  readonly expand: readonly string[];
}

/** What a draft makes of the resource's own fields. */
export async function parsedDraft(engine: Engine, request: CreateRequest): Promise<Record<string, unknown>> {
  const { context, resource } = request;
  const parsing = new Parsing();
  const draft = parseObject(resource.draft, draftInPlace(resource, request), parsing);
  parsing.settle();
  await load(engine, context.project.key, { parsing });
  // settle() has thrown when the draft has faults.
  return resource.create(draft!, applyContextOf(context));
}

/** Stamps, completes, checks and writes a new document. Gives its JSON text. */
export async function insert(
  engine: Engine,
  context: RequestContext,
  {
    resource,
    body,
    secrets,
  }: {
    readonly resource: Resource;
    readonly body: Record<string, unknown>;
    readonly secrets?: Readonly<Record<string, string>>;
  },
): Promise<string> {
  const project = context.project.key;
  const document = stamped(resource, body, context);
  resource.derive(document);
  requireOwnStores(context, resource, { before: undefined, after: document });
  await checkDescribed(engine, context, { resource, before: undefined, after: document });
  checkRules(resource, document, context);
  const text = checkedText(document);
  await engine.store.insert(project, {
    kind: resource.kind,
    document,
    json: text,
    key: keyOf(resource, document),
    secrets,
    references: strongReferences(resource, document),
    uniqueValues: heldValues(resource, document),
    exclusiveFlags: trueFlags(resource, document),
    maxPerProject: engine.maxPerProject(resource),
  });
  return text;
}

/** The fields that the platform keeps, as far as the kind has them, before the resource's own. */
function stamped({ fields }: Resource, body: Record<string, unknown>, context: RequestContext): Document {
  const now = new Date().toISOString();
  const initiator = initiatorOf(context);
  const stamps = {
    id: randomUUID(),
    version: 1,
    createdAt: now,
    lastModifiedAt: now,
    createdBy: initiator,
    lastModifiedBy: initiator,
  };
  const kept = Object.entries(stamps).filter(([name]) => Object.hasOwn(fields, name));
  // A kind without a version is never updated, and the store counts from 1.
  return { ...Object.fromEntries(kept), ...body } as Document;
}
