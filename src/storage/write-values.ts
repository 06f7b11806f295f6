/** What write statements are given: the values of their parameters, by name. */
import type { UniqueValue } from '../engine/document.ts';
import { commaSeparated, concat, type Json } from '../engine/json.ts';
import type { Assertion, Delta, Increment, Insertion, Notice, Removal, Replacement, Write } from '../engine/store.ts';
import type { StrongReference } from '../fields/parsing.ts';

/** Writes that have one form, each to a resource of its own. */
export type Group = readonly Write[];

export function referencesOf({ references }: Insertion | Replacement): Delta<StrongReference> {
  return 'added' in references ? references : { added: references, removed: [] };
}

export function uniqueValuesOf({ uniqueValues }: Insertion | Replacement): Replacement['uniqueValues'] {
  return 'added' in uniqueValues ? uniqueValues : { added: uniqueValues, removed: [] };
}

/**
 * Parts of the documents of a form. Where they are long they are no string as a whole: it would have memory of its own, whose
 * pages the system has to fetch for each, and which the driver copies.
 */
export const partsCount = 64;
/** Bytes of a part, while there are enough of them. */
const partBytes = 32 * 1024;
/** Bytes of the documents of a form that are long: a string of as many characters has memory of its own. */
const longBytes = 128 * 1024;

/** Whether writes have so much to say that their statement is to take it in parts. */
export function areLong(groups: readonly Group[]): boolean {
  const bytesOf = (write: Write): number => ('json' in write && write.type !== 'notice' ? write.json.length : 0);
  return groups.some((writes) => writes.reduce((bytes, write) => bytes + bytesOf(write), 0) > longBytes);
}

/** What the parameters of statements are, by name. A form uses those that its writes have. */
const columns = {
  ids: (writes: Group) => writes.map(({ id }) => id),
  keys: (writes: readonly Replacement[]) => writes.map(({ key }) => key ?? null),
  versions: (writes: readonly Replacement[]) => writes.map(({ version }) => version),
  documents: (writes: readonly Replacement[]) => String(listOf(writes)),
  secrets: (writes: readonly Replacement[]) =>
    writes.map(({ secrets }) => (secrets === undefined ? null : JSON.stringify(secrets))),
  internals: (writes: readonly Replacement[]) => writes.map(({ internals }) => internals ?? null),
  indexed: (writes: readonly Replacement[]) => `[${writes.map(({ indexed }) => indexed ?? null).join(',')}]`,
  expectedVersions: (writes: readonly (Replacement | Removal | Assertion)[]) =>
    writes.map(({ expectedVersion }) => expectedVersion ?? null),
  addedReferences: (writes: readonly Replacement[]) => referenceRows(writes, 'added'),
  removedReferences: (writes: readonly Replacement[]) => referenceRows(writes, 'removed'),
  addedValues: (writes: readonly Replacement[]) => valueRows(writes, 'added'),
  removedValues: (writes: readonly Replacement[]) => valueRows(writes, 'removed'),
  limit: ([first]: readonly Insertion[]) => first!.maxPerProject,
  by: (writes: readonly Increment[]) => writes.map(({ by }) => by),
  alsoBy: (writes: readonly Increment[]) => writes.map(({ also }) => also?.by ?? 0),
  min: (writes: readonly Increment[]) => writes.map(({ min }) => min ?? null),
  max: (writes: readonly Increment[]) => writes.map(({ max }) => max ?? null),
  now: (writes: readonly Increment[]) => writes.map(({ now }) => now),
  listeners: (writes: readonly Notice[]) => writes.map(({ listeners }) => `{${listeners.join(',')}}`),
  subjects: (writes: readonly Notice[]) => writes.map(({ subject }) => subject),
  countedSubjects: (writes: readonly Notice[]) => writes.map(({ subject, isCounted }) => (isCounted ? subject : null)),
  payloads: (writes: readonly Notice[]) => writes.map(({ json }) => json),
} satisfies Record<string, (writes: never) => unknown>;

function listOf(writes: readonly Replacement[]): Json {
  return concat(['[', ...commaSeparated(writes.map(({ json }) => json)), ']']);
}

/** The list of documents in parts; the last ones may be empty. */
export function partsOf(writes: readonly Replacement[]): readonly string[] {
  const list = listOf(writes);
  const bytes = typeof list === 'string' ? Buffer.from(list) : list;
  const length = Math.max(partBytes, Math.ceil(bytes.length / partsCount));
  let start = 0;
  return Array.from({ length: partsCount }, () => {
    let end = Math.min(start + length, bytes.length);
    // A character is in one part.
    while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end += 1;
    const part = bytes.toString('utf8', start, end);
    start = end;
    return part;
  });
}

/** As JSON, each beside the id of the resource that holds it. */
function referenceRows(writes: readonly (Insertion | Replacement)[], side: keyof Delta<unknown>): string {
  return JSON.stringify(
    writes.flatMap((write) =>
      referencesOf(write)[side].map((reference) => ({
        id: write.id,
        kind: reference.typeId,
        link: linkOf(reference),
      })),
    ),
  );
}

function valueRows(writes: readonly (Insertion | Replacement)[], side: keyof Delta<unknown>): string {
  return JSON.stringify(
    writes.flatMap((write) => uniqueValuesOf(write)[side].map((value) => valueRow(write.id, value))),
  );
}

/** Of a value that several may hold each has its own row. */
function valueRow(id: string, { field, value, holdersMax }: UniqueValue) {
  if (holdersMax === undefined) return { id, field, value, shared: undefined };
  return { id, field, value: `${value} ${id}`, shared: value, holders_max: holdersMax };
}

/** How a statement names the target of a reference: its id, or `key=` and its key. */
export function linkOf(reference: StrongReference): string {
  return 'id' in reference ? reference.id : `key=${reference.key}`;
}

export type Column = keyof typeof columns;

export function valueOf(parameter: string, project: string, groups: readonly Group[]): unknown {
  if (parameter === 'project') return project;
  if (parameter === 'all') return groups.flatMap((writes) => columns.ids(writes));
  // A form names the columns of its own writes alone.
  return columns[columnIn(parameter)](groups[indexIn(parameter)] as never);
}

export function columnIn(parameter: string): Column {
  return parameter.split('_')[0] as Column;
}

/** The index of the form that a parameter is of. */
export function indexIn(parameter: string): number {
  return Number(parameter.split('_')[1] ?? 0);
}
