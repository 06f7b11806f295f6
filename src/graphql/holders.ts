/** Types that hold queries, which are the root, a store and shoppers, and the interfaces that they share. */
import { GraphQLInterfaceType, GraphQLObjectType } from 'graphql';
import type { GraphqlNames } from '../engine/resource.ts';
import type { FieldConfig, TypeRegistry } from './output-types.ts';

type Fields = Readonly<Record<string, FieldConfig>>;

/** What holds the field `me`, and what that gives. */
const shopperHolderInterface = 'MeFieldInterface';
const shopperInterface = 'MeQueryInterface';

export class QueryHolders {
  readonly #types: TypeRegistry;
  readonly #holders: GraphQLObjectType[] = [];
  /** With the names of the fields that make a holder have them. */
  readonly #interfaces = new Map<GraphQLInterfaceType, readonly string[]>();

  constructor(types: TypeRegistry) {
    this.#types = types;
  }

  /** The fields are looked up late. */
  make(name: string, fields: () => readonly Fields[]): GraphQLObjectType {
    const type: GraphQLObjectType = new GraphQLObjectType({
      name,
      fields: () => Object.assign({}, ...fields()) as Fields,
      interfaces: () => this.#interfacesOf(type),
    });
    this.#holders.push(type);
    return type;
  }

  /** Makes the interfaces that a holder has; `shopper` is the type that `me` gives. All types are there by now. */
  addInterfaces(declared: GraphqlNames['queryInterfaces'], shopper: GraphQLObjectType | undefined): void {
    for (const [name, names] of Object.entries(declared)) this.#add(name, names);
    if (shopper === undefined) return;
    const names = this.#interfacesOf(shopper).flatMap((each) => this.#interfaces.get(each)!);
    this.#add(shopperInterface, names);
    this.#add(shopperHolderInterface, ['me'], { me: this.#types.output(`${shopperInterface}!`) });
  }

  #add(name: string, names: readonly string[], given: Readonly<Record<string, FieldConfig['type']>> = {}): void {
    const holder = this.#holders.find((each) => hasAll(each, names));
    if (holder === undefined) return;
    const type: GraphQLInterfaceType = new GraphQLInterfaceType({
      name,
      fields: () => {
        const { fields } = holder.toConfig();
        return Object.fromEntries(
          names.map((field) => {
            const { resolve: _, ...config } = fields[field]!;
            return [field, { ...config, type: given[field] ?? config.type }];
          }),
        );
      },
      interfaces: () => this.#interfacesOf(type),
    });
    this.#interfaces.set(type, names);
    this.#types.add(type);
  }

  #interfacesOf(type: GraphQLObjectType | GraphQLInterfaceType): readonly GraphQLInterfaceType[] {
    return [...this.#interfaces].filter(([own, names]) => own !== type && hasAll(type, names)).map(([own]) => own);
  }
}

function hasAll(type: GraphQLObjectType | GraphQLInterfaceType, names: readonly string[]): boolean {
  const fields = type.getFields();
  return names.every((name) => Object.hasOwn(fields, name));
}
