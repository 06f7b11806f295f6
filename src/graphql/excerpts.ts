import { LRUCache } from 'lru-cache';
import { CoherentCache, type Dependency, type Fence, type Made, Sources } from '../engine/coherence.ts';
import type { RequestContext } from '../engine/context.ts';
import type { Engine } from '../engine/resource.ts';
import type { AnswerSize } from './answer-size.ts';
import { isObject } from '../fields/object.ts';
import { excerptId, excerptVersion, type Outline, type Gap } from './outline.ts';
import type { Program, Programs } from './programs.ts';
import { anyVersion, type Authorize, createQueryContext } from './resolvers.ts';

type Variables = Readonly<Record<string, unknown>>;

/** What a query says of one resource, kept until something that it was made from changes. */
interface Excerpt {
  /** JSON; `null` when nobody has the id. */
  readonly body: Buffer;
  /** Of the resource; undefined for kinds without versions, null when nobody has the id. */
  readonly version: unknown;
  readonly dependencies: readonly Dependency[];
  /** When it may be another without a change of these. */
  readonly until: number;
  /** That it took to make it. */
  readonly values: number;
}

/** What is asked of resources, in one text or in many. */
interface Selection {
  /** Its name in this process. */
  readonly number: number;
  readonly field: string;
  readonly program: Program;
}

interface KnownGap {
  readonly selection: Selection;
  readonly variables: readonly string[];
}

/** Gaps by the names in an object of the answer; below a page they are one level deeper. */
type Gaps = ReadonlyMap<string, KnownGap | Gaps>;

export interface KnownOutline {
  readonly program: Program;
  readonly gaps: Gaps;
}

export interface ExcerptOptions {
  readonly fence: Fence;
  readonly bytesMax: number;
  readonly authorize: Authorize;
}

export interface Asked {
  readonly request: RequestContext;
  readonly variables: Variables;
  /** Notes what the answer is made from. */
  readonly sources: Sources;
  /** Of the whole answer, also of what is made of it for others as well. */
  readonly size: AnswerSize;
}

const selectionsMax = 1000;
const selectionsLengthMax = 4_000_000;

/**
 * Puts answers together from what earlier ones said of the same resources. An excerpt is kept under the fence like every
 * answer, so one that is found is as new as the request asks for. It is named by the selection with its variables, the
 * settings of the project and all that the principal is granted. A page that is read after the fence may know a later
 * state of a resource; an excerpt of another version is not for it.
 */
export class Excerpts {
  readonly #engine: Engine;
  readonly #programs: Programs;
  readonly #authorize: Authorize;
  readonly #kept: CoherentCache<Excerpt | 'failed'>;
  readonly #selections = new LRUCache<string, Selection>({
    max: selectionsMax,
    maxSize: selectionsLengthMax,
    sizeCalculation: (_, text) => text.length,
  });
  #selectionCount = 0;

  constructor(engine: Engine, programs: Programs, { fence, bytesMax, authorize }: ExcerptOptions) {
    this.#engine = engine;
    this.#programs = programs;
    this.#authorize = authorize;
    this.#kept = new CoherentCache(fence, {
      bytesMax,
      bytesOf: (excerpt) => (excerpt === 'failed' ? 0 : excerpt.body.length),
    });
  }

  /** An outline that is ready to be answered many times. */
  know({ text, gaps }: Outline, operation: string): KnownOutline {
    const known = new Map<string, KnownGap | Map<string, KnownGap>>();
    for (const gap of gaps) {
      const [name, below] = gap.path as [string, string?];
      const at = { selection: this.#selection(gap), variables: gap.variables };
      const page = known.get(name);
      if (below === undefined) known.set(name, at);
      else if (page instanceof Map) page.set(below, at);
      else known.set(name, new Map([[below, at]]));
    }
    return { program: this.#programs.create({ text, operation }), gaps: known };
  }

  #selection({ excerpt: text, field }: Gap): Selection {
    let selection = this.#selections.get(text);
    if (selection === undefined) {
      const program = this.#programs.create({ text, operation: '' });
      selection = { number: (this.#selectionCount += 1), field, program };
      this.#selections.set(text, selection);
    }
    return selection;
  }

  /** The body of the answer; undefined where it has errors or its parts do not agree: it is to be made as a whole. */
  async answer({ program, gaps }: KnownOutline, asked: Asked): Promise<Buffer | undefined> {
    const context = this.#context('outline', asked);
    const { data, errors } = await program.run(context, asked.variables);
    if (errors !== undefined || data === undefined || data === null) return undefined;
    const assembly = new Assembly((gap) => this.#finder(gap, asked));
    assembly.text('{"data":');
    assembly.object(data, gaps);
    assembly.text('}');
    return assembly.end(asked);
  }

  /** Finds or makes the excerpts of one gap by the ids of resources. */
  #finder({ selection, variables: names }: KnownGap, asked: Asked): FindExcerpt {
    const { project, principal } = asked.request;
    const variables = Object.fromEntries(
      names.flatMap((name) => (Object.hasOwn(asked.variables, name) ? [[name, asked.variables[name]]] : [])),
    );
    const named = names.length === 0 ? '' : JSON.stringify(variables);
    const prefix = `${project.key}@${project.version} ${principal.grants} ${selection.number} ${named} `;
    return (id) => {
      const name = prefix + id;
      const make = (): Promise<Made<Excerpt | 'failed'>> =>
        this.#make(selection, { ...variables, [excerptId]: id }, asked);
      return this.#kept.kept(name) ?? this.#kept.get(name, make, asked.request);
    };
  }

  async #make(
    { field, program }: Selection,
    variables: Variables,
    { request, size: whole }: Asked,
  ): Promise<Made<Excerpt | 'failed'>> {
    const size = whole.part();
    const sources = new Sources(request.project.key);
    const { data, errors } = await program.run(this.#context('whole', { request, sources, size }), variables);
    const { dependencies, until } = sources;
    if (errors !== undefined || data === undefined || data === null || dependencies === undefined || size.isOver)
      return { value: 'failed', dependencies: undefined, isOfOne: size.isOver };
    const found = data[field];
    const { [excerptVersion]: version, ...resource } = isObject(found) ? found : { [excerptVersion]: null };
    const text = isObject(found) ? JSON.stringify(resource) : 'null';
    const excerpt = { body: Buffer.from(text), version, dependencies, until, values: size.values };
    return { value: excerpt, dependencies, until };
  }

  #context(
    form: 'whole' | 'outline',
    { request, sources, size }: Omit<Asked, 'variables'>,
  ): ReturnType<typeof createQueryContext> {
    return createQueryContext({ engine: this.#engine, sources, size, form }, request, this.#authorize);
  }
}

type FindExcerpt = (id: string) => Excerpt | Promise<Excerpt | 'failed'> | 'failed';

/** A resource in the answer, with the version that the outline says it has. */
interface Wanted {
  excerpt: Excerpt | 'failed' | undefined;
  readonly version: unknown;
}

/** An answer while it is put together from texts and excerpts. */
class Assembly {
  readonly #finderOf: (gap: KnownGap) => FindExcerpt;
  readonly #pieces: (string | Wanted)[] = [];
  readonly #making: Promise<void>[] = [];
  #text = '';

  constructor(finderOf: (gap: KnownGap) => FindExcerpt) {
    this.#finderOf = finderOf;
  }

  text(text: string): void {
    this.#text += text;
  }

  object(value: Readonly<Record<string, unknown>>, gaps: Gaps): void {
    let separator = '{';
    for (const name in value) {
      const member = value[name];
      if (member === undefined) continue;
      this.text(`${separator}${JSON.stringify(name)}:`);
      separator = ',';
      const gap = gaps.get(name);
      if (gap === undefined) this.text(JSON.stringify(member));
      else if (!('selection' in gap)) this.object(member as Readonly<Record<string, unknown>>, gap);
      else this.#resources(member, this.#finderOf(gap));
    }
    this.text(separator === '{' ? '{}' : '}');
  }

  #resources(found: unknown, find: FindExcerpt): void {
    if (!Array.isArray(found)) {
      this.#resource(found, find);
      return;
    }
    this.text('[');
    for (const [index, each] of found.entries()) {
      if (index > 0) this.text(',');
      this.#resource(each, find);
    }
    this.text(']');
  }

  #resource(found: unknown, find: FindExcerpt): void {
    if (found === null) {
      this.text('null');
      return;
    }
    // The outline asks for these.
    const { id, version } = found as { readonly id: string; readonly version: unknown };
    const excerpt = find(id);
    const wanted: Wanted = { excerpt: excerpt instanceof Promise ? undefined : excerpt, version };
    if (excerpt instanceof Promise)
      this.#making.push(
        excerpt.then((made) => {
          wanted.excerpt = made;
        }),
      );
    this.#pieces.push(this.#text, wanted);
    this.#text = '';
  }

  async end({ sources, size }: Pick<Asked, 'sources' | 'size'>): Promise<Buffer | undefined> {
    if (this.#making.length > 0) await Promise.all(this.#making);
    const chunks: Buffer[] = [];
    for (const piece of this.#pieces) {
      if (typeof piece === 'string') {
        chunks.push(Buffer.from(piece));
        continue;
      }
      const { excerpt, version } = piece;
      if (excerpt === undefined || excerpt === 'failed') return undefined;
      if (version !== anyVersion && version !== excerpt.version) return undefined;
      size.add({ values: excerpt.values, bytes: excerpt.body.length });
      if (size.isOver) return undefined;
      sources.noteAll(excerpt.dependencies);
      sources.noteUntil(excerpt.until);
      chunks.push(excerpt.body);
    }
    chunks.push(Buffer.from(this.#text));
    return Buffer.concat(chunks);
  }
}
