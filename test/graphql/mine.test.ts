import { printType } from 'graphql';
import t from 'tap';
import { change, set } from '../../src/engine/actions.ts';
import { defineResource } from '../../src/engine/define.ts';
import { endpoint } from '../../src/engine/endpoint.ts';
import { createRegistry } from '../../src/engine/registry.ts';
import { optional, required } from '../../src/fields/field.ts';
import { text } from '../../src/fields/scalar.ts';
import { createSchema } from '../../src/graphql/schema.ts';
import { project } from '../../src/resources/project/resource.ts';
import { allResources } from '../../src/resources/all.ts';

const basket = defineResource({
  kind: 'basket',
  typeName: 'Basket',
  path: 'baskets',
  scopes: { view: ['view_baskets'], manage: ['manage_baskets'] },
  fields: {
    name: required(text()),
    note: optional(text()),
    customerId: optional(text()),
    anonymousId: optional(text()),
  },
  keyMembers: [],
  inStore: { member: 'note', isReadOnly: false },
  holdsPersonalData: true,
  actions: { changeName: change('name'), setNote: set('note'), setCustomerId: set('customerId') },
  mine: {
    path: 'baskets',
    scopes: ['manage_my_baskets'],
    owners: { customer: 'customerId', anonymous: 'anonymousId' },
    draft: ['name'],
    actions: ['changeName', 'setNote'],
    graphql: { actions: { changeName: 'ChangeMyBasketName' } },
  },
  endpoints: [
    endpoint({
      path: '/me/active-basket',
      scopes: ['manage_my_baskets'],
      shoppers: ['customer', 'anonymous'],
      answer: 'one',
      query: { name: 'activeBasket', args: {} },
      run: () => Promise.resolve('{}'),
    }),
  ],
});

const schema = createSchema(createRegistry([...allResources, basket], project));

/** Members that are about baskets, as SDL. */
function membersOf(typeName: string): readonly string[] {
  const type = schema.getType(typeName);
  if (type === undefined) throw new Error(`There is no type ${typeName}`);
  return printType(type)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^\w*(basket|name|note|customerId)\w*[(:]/i.test(line));
}

t.test('what shoppers have of a kind follows from its line, under its names after My', async (t) => {
  const page = 'baskets(where: String, sort: [String!], limit: Int, offset: Int): BasketQueryResult!';
  t.strictSame(membersOf('Me'), ['basket(id: String!): Basket', page, 'activeBasket: Basket']);
  t.strictSame(membersOf('InStoreMe'), ['basket(id: String!): Basket', page], 'the endpoint is not for stores');
  t.strictSame(membersOf('InStore'), ['basket(id: String!): Basket', page]);
  t.strictSame(membersOf('Query'), ['basket(id: String!): Basket', page], 'nor is it at the root');
  t.strictSame(
    membersOf('Mutation').filter((name) => name.includes('My')),
    [
      'createMyBasket(draft: MyBasketDraft!, storeKey: KeyReferenceInput): Basket',
      'updateMyBasket(version: Long!, actions: [MyBasketUpdateAction!]!, id: String!, storeKey: KeyReferenceInput): Basket',
      'deleteMyBasket(version: Long!, id: String!, storeKey: KeyReferenceInput): Basket',
    ],
  );
});

t.test(
  'shoppers give what they may, and their actions take the inputs of the kind unless named otherwise',
  async (t) => {
    t.strictSame(membersOf('BasketDraft'), ['name: String!', 'note: String', 'customerId: String']);
    t.strictSame(membersOf('MyBasketDraft'), ['name: String!'], 'the owner is the platform’s to give');
    t.strictSame(membersOf('BasketUpdateAction'), [
      'changeName: ChangeBasketName',
      'setNote: SetBasketNote',
      'setCustomerId: SetBasketCustomerId',
    ]);
    t.strictSame(membersOf('MyBasketUpdateAction'), ['changeName: ChangeMyBasketName', 'setNote: SetBasketNote']);
  },
);
