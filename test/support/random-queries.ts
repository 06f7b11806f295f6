/** Random GraphQL queries, read off the schema: what a client may select of resources, in every way to say it. */
import {
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  Lexer,
  Source,
  TokenKind,
} from 'graphql';
import { isPunctuatorTokenKind } from 'graphql/language/lexer.js';
import type { Random } from '../../src/demo/random.ts';
import type { Resource } from '../../src/engine/resource.ts';
import type { Created } from './example-drafts.ts';
import { idArguments, queriedKeyArguments, schema, type Variables } from './graphql-values.ts';

export interface RandomQuery {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Variables that selections may use. */
const shared: Variables = {
  yes: { type: 'Boolean!', value: true },
  no: { type: 'Boolean = false', value: undefined },
  locale: { type: 'Locale', value: 'de' },
  locales: { type: '[Locale!] = ["fr", "en"]', value: undefined },
};

const depthMax = 3;
const fieldsMax = 4;

/** A query for resources of a kind, of which these are there: by id, by key and in pages. */
export function randomQuery(random: Random, resource: Resource, documents: readonly Created[]): RandomQuery {
  return new Writer(random, resource, documents).query();
}

/** What may stand between two tokens besides nothing. */
const ignored = [' ', '  ', ',', ', ', '\n', '\n\t', '\r\n', ' # a comment { with } "signs"\n', '\uFEFF'];

/** The same tokens with other white space, commas and comments between them, or with none at all. */
function respaced(random: Random, text: string): string {
  const lexer = new Lexer(new Source(text));
  const isMinified = random.chance(0.3);
  let result = '';
  let isAfterWord = false;
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    const isWord = !isPunctuatorTokenKind(token.kind);
    // A number could end in the dots.
    const isNeeded = isAfterWord && (isWord || token.kind === TokenKind.SPREAD);
    if (isNeeded || (!isMinified && random.chance(0.5))) result += isMinified ? ' ' : random.pick(ignored);
    result += text.slice(token.start, token.end);
    isAfterWord = isWord;
  }
  return result;
}

class Writer {
  readonly #random: Random;
  readonly #resource: Resource;
  readonly #documents: readonly Created[];
  readonly #fragments: string[] = [];
  readonly #given: Record<string, Variables[string]> = {};
  #names = 0;

  constructor(random: Random, resource: Resource, documents: readonly Created[]) {
    this.#random = random;
    this.#resource = resource;
    this.#documents = documents;
  }

  query(): RandomQuery {
    const roots = Array.from({ length: this.#random.integer(1, 3) }, () => this.#root());
    const body = this.#around('Query', roots.join(' '));
    const text = [`{ ${body} }`, ...this.#fragments].join('\n');
    const used = Object.entries({ ...shared, ...this.#given }).filter(([name]) =>
      new RegExp(`\\$${name}\\b`).test(text),
    );
    const declared = used.map(([name, { type }]) => `$${name}: ${type}`).join(', ');
    return {
      query: respaced(this.#random, `query Random${declared === '' ? '' : `(${declared})`} ${text}`),
      variables: Object.fromEntries(used.map(([name, { value }]) => [name, value])),
    };
  }

  /** A field of the root under a name of its own. */
  #root(): string {
    const { graphql, keyMembers, typeName } = this.#resource;
    const alias = this.#name('root');
    const document = this.#random.pick(this.#documents);
    if (this.#random.chance(0.4)) {
      const byKey = this.#random.chance(0.5) ? queriedKeyArguments(this.#resource, document) : undefined;
      const args = this.#arguments(byKey ?? idArguments(document.id));
      return `${alias}: ${graphql.one}${args} ${this.#directive()} ${this.#selection(typeName)}`;
    }
    const within = keyMembers.slice(0, -1).map((name) => [name, { type: 'String!', value: document[name] }] as const);
    const args = this.#arguments({
      ...Object.fromEntries(within),
      where: { type: 'String', value: `id != "none-${this.#random.integer(1, 1000)}"` },
      // Selections that lead on to lists of references weigh much.
      limit: { type: 'Int', value: this.#random.integer(2, 4) },
    });
    const members = ['offset', 'count', 'total', 'exists', '__typename'].filter(() => this.#random.chance(0.4));
    const results = this.#random.chance(0.9) ? [this.#results(typeName)] : [];
    const shuffled = [...members, ...results, this.#results(typeName, this.#name('results'))].toSorted(() =>
      this.#random.chance(0.5) ? 1 : -1,
    );
    return `${alias}: ${graphql.many}${args} { ${this.#around(`${typeName}QueryResult`, shuffled.join(' '))} }`;
  }

  #results(typeName: string, alias?: string): string {
    return `${alias === undefined ? '' : `${alias}: `}results ${this.#directive()} ${this.#selection(typeName)}`;
  }

  #arguments(args: Variables): string {
    const passed = Object.entries(args).map(([name, { type, value }]) => {
      if (this.#random.chance(0.5)) return `${name}: ${JSON.stringify(value)}`;
      const variable = this.#name('given');
      this.#given[variable] = { type, value };
      return `${name}: $${variable}`;
    });
    return `(${passed.join(', ')})`;
  }

  #selection(typeName: string): string {
    return this.#selected(schema.getType(typeName)!, depthMax);
  }

  /** Members of different forms may share a name and not a type, so there each has an alias. */
  #selected(type: GraphQLNamedType, depth: number, isForm = false): string {
    if (isObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(({ args }) => !args.some(isRequiredArgument));
      const picked = Array.from({ length: this.#random.integer(1, fieldsMax) }, () => this.#random.pick(fields));
      const body = picked.map((field) => this.#field(field, depth, isForm)).join(' ');
      const typename = this.#random.chance(0.2) ? '__typename' : '';
      // There is always one that is not taken away.
      return `{ ${this.#name('always')}: __typename ${this.#around(type.name, `${body} ${typename}`)} }`;
    }
    if (!isInterfaceType(type)) throw new Error(`The type ${type.name} has no fields`);
    const forms = schema
      .getPossibleTypes(type)
      .filter(() => this.#random.chance(0.7))
      .map((form) => `... on ${form.name} ${this.#selected(form, depth, true)}`);
    return `{ __typename ${forms.join(' ')} }`;
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number, isForm: boolean): string {
    const named = getNamedType(field.type);
    if (!isLeafType(named) && depth === 0) return '__typename';
    const isLocalized = field.args.some(({ name }) => name === 'locale');
    const args = isLocalized
      ? this.#random.pick(['', '(locale: "en")', '(locale: $locale)', '(acceptLanguage: $locales)'])
      : '';
    const below = isLeafType(named) ? '' : this.#selected(named, depth - 1);
    if (!isForm && !isLocalized && this.#random.chance(0.5)) return `${field.name} ${this.#condition(true)} ${below}`;
    return `${this.#name('field')}: ${field.name}${args} ${this.#directive()} ${below}`;
  }

  #directive(): string {
    return this.#condition(this.#random.chance(0.5));
  }

  /**
   * A name that may stand twice has to be there each time: interpreted, an answer has it where it first is, compiled, where
   * it first could be.
   */
  #condition(isMet: boolean): string {
    if (this.#random.chance(0.8)) return '';
    return this.#random.pick(
      isMet ? ['@include(if: $yes)', '@skip(if: $no)'] : ['@include(if: $no)', '@skip(if: $yes)'],
    );
  }

  /** The selections as they are, in an inline fragment, or in a fragment with a name. */
  #around(typeName: string, selections: string): string {
    switch (this.#random.integer(1, 6)) {
      case 1:
        return `... { ${selections} }`;
      case 2:
        return `... on ${typeName} ${this.#condition(true)} { ${selections} }`;
      case 3: {
        const name = this.#name('Fragment');
        this.#fragments.push(`fragment ${name} on ${typeName} { ${selections} }`);
        return `...${name} ${this.#condition(true)}`;
      }
      default:
        return selections;
    }
  }

  #name(stem: string): string {
    this.#names += 1;
    return `${stem}${this.#names}`;
  }
}
