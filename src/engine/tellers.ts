/** What update actions tell. A table by the names of the actions says it, so that what they do says nothing of messages. */
import { type CustomFields, customFields } from '../fields/custom-fields.ts';
import { type Fields, optional, required } from '../fields/field.ts';
import { json } from '../fields/json.ts';
import { text } from '../fields/scalar.ts';
import type { Document, Fixed } from './document.ts';
import { isSameJson } from './json.ts';
import { type MessageType, messageType, type Told } from './messages.ts';
import type { Action, ApplyContext } from './resource.ts';

type Input = Readonly<Record<string, unknown>>;

/** What an action has changed. Both states are the teller's own. */
export interface ActionChange<Part = unknown, D = Document> {
  readonly before: Part;
  readonly after: Part;
  /** The working copy after the action. */
  readonly document: Fixed<D>;
  readonly input: Input;
  readonly context: ApplyContext;
}

/** What an action is told by: the part of the document that it changes, and what to say when that is another then. */
export interface Teller {
  /** Small: it is copied before the action, and after it. */
  look(document: Fixed<Document>, input: Input, context: ApplyContext): unknown;
  tell(change: ActionChange): readonly Told[];
}

/** Tables of tellers by the names of actions; several tell in their order. */
export type Tellers = Readonly<Record<string, Teller | readonly Teller[]>>;

/** Of a part, as it was and as it is; what is the same then tells nothing. */
export function whenChanged<D extends object, Part>(
  look: (document: Fixed<D>, input: Input, context: ApplyContext) => Part,
  tell: (change: ActionChange<Part, D>) => readonly Told[],
): Teller {
  // The engine calls tellers with documents of their kind, and with what `look` gave.
  return { look: look as unknown as Teller['look'], tell: tell as unknown as Teller['tell'] };
}

/** The action, and what it tells. */
export function tellingAction(action: Action, given: Teller | readonly Teller[]): Action {
  const tellers = [given].flat();
  return {
    ...action,
    apply: (document, input, context) => {
      const before = tellers.map((teller) => structuredClone(teller.look(document, input, context)));
      action.apply(document, input, context);
      for (const [index, teller] of tellers.entries()) {
        const after = structuredClone(teller.look(document, input, context));
        if (isSameJson(before[index], after)) continue;
        context.told.push(...teller.tell({ before: before[index], after, document, input, context }));
      }
    },
  };
}

/** What is told of parts that have ids. What says nothing of one sort of change tells nothing of it. */
interface PartsTold<T> {
  added?(part: T): Told;
  removed?(part: T): Told;
}

/** Of few parts, each with its id before it: those that have gone, then those that have come, in their order. */
export function tellsParts<D extends object, T>(
  look: (document: Fixed<D>, input: Input) => readonly (readonly [id: string, part: T])[],
  { added, removed }: PartsTold<T>,
): Teller {
  return whenChanged(look, ({ before, after }) => {
    const [was, is] = [new Map(before), new Map(after)];
    const gone = before.filter(([id]) => !is.has(id)).flatMap(([, part]) => removed?.(part) ?? []);
    const there = after.filter(([id]) => !was.has(id)).flatMap(([, part]) => added?.(part) ?? []);
    return [...gone, ...there];
  });
}

/** Of what an action has put at the end of a list. */
export function tellsLast<D extends object, T>(
  listIn: (document: Fixed<D>, input: Input) => readonly T[],
  tell: (last: T, change: ActionChange<number, D>) => Told,
): Teller {
  return whenChanged<D, number>(
    (document, input) => listIn(document, input).length,
    (change) => [tell(structuredClone(listIn(change.document, change.input).at(-1)!), change)],
  );
}

/** A part with its custom fields as they are stored: these are checked and completed after the actions. */
export function completed<P extends Holder>(part: P, stored: Holder | undefined): P {
  const { custom } = part;
  return custom === undefined || stored?.custom?.type.id !== custom.type.id ? part : { ...part, custom: stored.custom };
}

/** `{member?}`: what a member of the document is now. */
export function tellsSet({ type }: MessageType, member: string, name = member): Teller {
  return whenChanged(
    (document: Document) => document[member],
    ({ after }) => [{ type, payload: { [name]: after } }],
  );
}

/** `{member?, oldMember?}`: what it was, too. */
export function tellsChange({ type }: MessageType, member: string, name = member): Teller {
  return whenChanged(
    (document: Document) => document[member],
    ({ before, after }) => [{ type, payload: { [name]: after, [oldName(name)]: before } }],
  );
}

export function oldName(name: string): string {
  return `old${name[0]!.toUpperCase()}${name.slice(1)}`;
}

interface Holder {
  readonly custom?: Fixed<CustomFields>;
}

/** How messages of custom fields call what was there before. */
export interface CustomNames {
  /** The kind of what has the fields, as types name it. */
  readonly resourceTypeId: string;
  readonly typeId: 'previousTypeId' | 'oldTypeId';
  /** Of a value; undefined where they do not say it. */
  readonly value: 'previousValue' | 'oldValue' | undefined;
  /** What tells which part has the fields. */
  readonly part?: Fields;
  /** What messages call the whole of the custom fields, where it is set and goes. */
  readonly whole?: { readonly set: string; readonly unset: string; readonly member: string };
}

const usualWhole = { set: 'CustomTypeSet', unset: 'CustomTypeRemoved', member: 'customFields' };

/** Finds what has the custom fields, and what messages say to tell it from others. */
export interface CustomPlace<D> {
  holder(document: Fixed<D>, input: Input): Holder | undefined;
  part(document: Fixed<D>, input: Input): object;
}

export interface CustomMessages {
  readonly types: readonly MessageType[];
  setCustomType: Teller;
  setCustomField: Teller;
}

/** The five types of messages of custom fields, whose names begin with `prefix`, and what tells them. */
export function customMessages<D extends object>(
  prefix: string,
  { resourceTypeId, typeId, value, part = {}, whole = usualWhole }: CustomNames,
  { holder, part: partOf }: CustomPlace<D>,
): CustomMessages {
  const isUsual = whole === usualWhole;
  const types = {
    added: messageType(`${prefix}CustomFieldAdded`, { ...part, name: required(text()), value: required(json()) }),
    changed: messageType(`${prefix}CustomFieldChanged`, {
      ...part,
      name: required(text()),
      value: required(json()),
      ...(value !== undefined && { [value]: optional(json()) }),
    }),
    removed: messageType(`${prefix}CustomFieldRemoved`, { ...part, name: required(text()) }),
    set: messageType(`${prefix}${whole.set}`, {
      ...part,
      [whole.member]: required(customFields(resourceTypeId)),
      [typeId]: optional(text()),
    }),
    unset: messageType(`${prefix}${whole.unset}`, { ...part, ...(isUsual && { [typeId]: optional(text()) }) }),
  } as const;
  const look = (document: Fixed<D>, input: Input): unknown => holder(document, input)?.custom;
  /** What is stored is checked and completed after the actions; where it is gone by then, it is as it was sent. */
  const stored = (input: Input, document: Fixed<Document>): Fixed<CustomFields> | undefined =>
    holder(document as unknown as Fixed<D>, input)?.custom;
  return {
    types: Object.values(types),
    setCustomType: whenChanged(look, ({ before, after, document, input }) => {
      const old = { [typeId]: (before as CustomFields | undefined)?.type.id };
      const named = partOf(document, input);
      if (after === undefined) return [{ type: types.unset.type, payload: { ...named, ...(isUsual && old) } }];
      const sent = after as CustomFields;
      return [
        {
          type: types.set.type,
          payload: (made: Fixed<Document>) => {
            const custom = stored(input, made);
            return { ...named, [whole.member]: custom?.type.id === sent.type.id ? custom : sent, ...old };
          },
        },
      ];
    }),
    setCustomField: whenChanged(look, ({ before, after, document, input }) => {
      const name = String(input['name']);
      const [was, is] = [before, after].map((custom) => (custom as CustomFields | undefined)?.fields[name]);
      const named = { ...partOf(document, input), name };
      if (is === undefined) return [{ type: types.removed.type, payload: named }];
      return [
        {
          type: (was === undefined ? types.added : types.changed).type,
          payload: (made: Fixed<Document>) => ({
            ...named,
            value: stored(input, made)?.fields[name] ?? is,
            ...(was !== undefined && value !== undefined && { [value]: was }),
          }),
        },
      ];
    }),
  };
}

/** Of the resource itself. */
export const ofItself: CustomPlace<Document> = {
  // Kinds that have these messages declare the member `custom`.
  holder: (document) => document as Holder,
  part: () => ({}),
};
