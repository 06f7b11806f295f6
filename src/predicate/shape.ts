/** How the values of a field compare: what predicates and sort expressions may say of it. */
export type Shape =
  | { readonly class: 'text' | 'number' | 'boolean' | 'dateTime' | 'dynamic' }
  /** An amount; `fields` are members that it is given beside its own. */
  | { readonly class: 'money'; readonly fields?: ReadonlyMap<string, Shape> }
  /** Text by locale. */
  | { readonly class: 'localized' }
  | {
      readonly class: 'object';
      readonly fields: ReadonlyMap<string, Shape>;
      /** By the name that predicates call them by. */
      readonly aggregates?: ReadonlyMap<string, Aggregate>;
    }
  | { readonly class: 'list'; readonly item: Shape };

/** What a call with a predicate on the elements of a list gives. */
export interface Aggregate {
  readonly gives: 'count' | 'total' | 'exists' | 'forAll';
  /** Of a total the member of the elements that is added up. */
  readonly member?: string;
  readonly list: string;
  readonly item: Shape;
}

export type ObjectShape = Extract<Shape, { class: 'object' }>;

const moneyFields: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['type', { class: 'text' }],
  ['currencyCode', { class: 'text' }],
  ['centAmount', { class: 'number' }],
  ['preciseAmount', { class: 'number' }],
  ['fractionDigits', { class: 'number' }],
]);

const text: Shape = { class: 'text' };
const dynamic: Shape = { class: 'dynamic' };

/** The shape of a member of values of this shape; undefined when they have no such member. */
export function memberOf(shape: Shape, name: string): Shape | undefined {
  switch (shape.class) {
    case 'object':
      return shape.fields.get(name);
    case 'list':
      return memberOf(shape.item, name);
    case 'money':
      return shape.fields?.get(name) ?? moneyFields.get(name);
    case 'localized':
      return text;
    case 'dynamic':
      return dynamic;
    default:
      return undefined;
  }
}
