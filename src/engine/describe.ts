import type { Described, DescribedPlace, VisitDescribed } from '../fields/field.ts';
import { visitDescribed } from '../fields/object.ts';
import { Parsing } from '../fields/parsing.ts';
import { textOf } from '../fields/set.ts';
import type { RequestContext } from './context.ts';
import { valuesIn } from '../predicate/steps.ts';
import type { Document } from './document.ts';
import { shareOfTurn } from './heavy-turns.ts';
import { isSameJson } from './json.ts';
import type { Engine, Resource } from './resource.ts';
import { describing } from './descriptions.ts';
import { load, type Nameable } from './load.ts';
import { freelyNameable } from './visibility.ts';

type Fielded = Pick<Resource, 'fields'>;

/**
 * Checks what other resources describe, such as custom fields by their types, where it is new or has changed since
 * `before`, and completes it in place. All faults are reported together.
 */
export async function checkDescribed(
  engine: Engine,
  context: RequestContext,
  {
    resource,
    before,
    after,
  }: { readonly resource: Fielded; readonly before: Document | undefined; readonly after: Document },
): Promise<void> {
  const previous = byName(before === undefined ? [] : describedOf(resource, before));
  const changed = describedOf(resource, after).filter(
    ({ name, described }) => previous.get(name)?.has(described) !== true,
  );
  if (changed.length === 0) return;
  const parsing = new Parsing();
  const project = context.project.key;
  const descriptions = await Promise.all(changed.map(({ described }) => describing(engine, project, described.by)));
  for (const [index, { name, described, path }] of changed.entries()) {
    await shareOfTurn(context, valuesIn(described.value) / valuesOfTurn);
    const since = parsing.faultCount;
    const earlier = previous.get(name)?.by(described.by.id);
    // Nobody changes what describes others.
    described.check(descriptions[index]!.document as Document, earlier?.value, parsing);
    parsing.within(path, since);
  }
  parsing.settle();
  await loadDescribed(engine, context, parsing);
}

/** Takes out of a document, in place, what the resources that describe parts of it do not define any more. */
export async function leaveUndefined(
  engine: Engine,
  project: string,
  { resource, document }: { readonly resource: Resource; readonly document: Document },
): Promise<void> {
  const parts = describedOf(resource, document);
  const descriptions = await Promise.all(parts.map(({ described }) => describing(engine, project, described.by)));
  // Nobody changes what describes others.
  for (const [index, { described }] of parts.entries()) described.leave(descriptions[index]!.document as Document);
}

/** Values that are checked and completed in a few milliseconds. */
const valuesOfTurn = 2000;

/** What is done when identifiers are known, such as checks of what one of many actions has changed, takes a part of a millisecond each. */
const completionsOfTurn = 32;

/** Reads what values name that other resources describe. They may name anything, so they tell nobody more than the request sees anyway. */
export async function loadDescribed(engine: Engine, context: RequestContext, parsing: Parsing): Promise<void> {
  const sees = (kind: string): Nameable => {
    const resource = engine.registry.byKind.get(kind);
    return resource !== undefined && freelyNameable(context, resource);
  };
  const turn = (): Promise<void> => shareOfTurn(context, 1 / completionsOfTurn);
  await load(engine, context, { parsing, sees, turn });
}

interface Part extends DescribedPlace {
  readonly described: Described;
}

function describedOf({ fields }: Fielded, document: Document): readonly Part[] {
  const found: Part[] = [];
  const visit: VisitDescribed = (described, place) => found.push({ described, ...place });
  visitDescribed(fields, document, { place: { path: '', name: '' }, visit });
  return found;
}

/** Each name with what it stands for. */
function byName(parts: readonly Part[]): ReadonlyMap<string, Named> {
  const names = new Map<string, Named>();
  for (const { name, described } of parts) {
    const named = names.get(name);
    if (named === undefined) names.set(name, new Named(described));
    else named.add(described);
  }
  return names;
}

/** What has one name: one part, mostly. Ids of addresses are the client's, who may give one to hundreds with other values each. */
class Named {
  readonly #parts: Described[];
  #texts: ReadonlySet<string> | undefined;

  constructor(part: Described) {
    this.#parts = [part];
  }

  /** All are added before one is asked for. */
  add(part: Described): void {
    this.#parts.push(part);
  }

  has({ value }: Described): boolean {
    if (this.#parts.length === 1) return isSameJson(this.#parts[0]!.value, value);
    this.#texts ??= new Set(this.#parts.map((part) => textOf(part.value)));
    return this.#texts.has(textOf(value));
  }

  by(id: string): Described | undefined {
    return this.#parts.find(({ by }) => by.id === id);
  }
}
