import t from 'tap';
import { type FieldKind, optional, required } from '../../src/fields/field.ts';
import { list } from '../../src/fields/list.ts';
import { object } from '../../src/fields/object.ts';
import { oneOf, type Tagged } from '../../src/fields/one-of.ts';
import { Parsing } from '../../src/fields/parsing.ts';
import { recursive } from '../../src/fields/recursive.ts';
import { reference } from '../../src/fields/reference.ts';
import { decimal, enumeration, integer, text } from '../../src/fields/scalar.ts';
import { Schemas } from '../../src/http/openapi-schemas.ts';
import { memberOf, type ObjectShape } from '../../src/predicate/shape.ts';
import { parsePredicate } from '../../src/predicate/parser.ts';
import { ApiError } from '../../src/errors/api-error.ts';

interface Tree {
  readonly name: string;
  readonly zone?: unknown;
  readonly children?: readonly Tree[];
  readonly next?: Tree;
}

const tree = recursive<Tree>(
  'Tree',
  [{ name: 'leaf' }],
  (self) =>
    object('Tree', {
      name: required(text(['leaf'])),
      zone: optional(reference('zone', 'Zone')),
      children: optional(list(self)),
      next: optional(self),
    }) as unknown as FieldKind<Tree>,
);

const expression = recursive<Tagged>('Expression', [{ type: 'is', value: 1 }], (self) =>
  oneOf('Expression', {
    is: { typeName: 'IsExpression', fields: { value: required(integer()) } },
    and: { typeName: 'AndExpression', fields: { operands: required(list(self)) } },
    not: { typeName: 'NotExpression', fields: { operand: required(self) } },
  }),
);

function parsed<Value>(
  kind: FieldKind<Value>,
  input: unknown,
): { value: Value | undefined; faults: readonly string[] } {
  const parsing = new Parsing();
  const value = kind.parse(input, parsing);
  try {
    parsing.settle();
    return { value, faults: [] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { value, faults: error.errors.map(({ message }) => message) };
  }
}

t.test('values are parsed as deep as they go, and faults have their whole path', async (t) => {
  const given = { name: 'a', children: [{ name: 'b', next: { name: 'c', children: [] } }, { name: 'd' }] };
  t.strictSame(parsed(tree, given), { value: given, faults: [] });
  const { value, faults } = parsed(tree, {
    name: 'a',
    children: [{ name: 'b', next: { name: 1, children: [{}] } }, 'no object'],
  });
  t.equal(value, undefined);
  t.equal(faults.length, 3);
  t.match(faults.join('\n'), /children\[0\]\.next\.name/);
  t.match(faults.join('\n'), /children\[0\]\.next\.children\[0\]\.name/);
  t.match(faults.join('\n'), /children\[1\]/);
  const nested = {
    type: 'and',
    operands: [
      { type: 'not', operand: { type: 'is', value: 1 } },
      { type: 'and', operands: [] },
    ],
  };
  t.strictSame(parsed(expression, nested), { value: nested, faults: [] });
  t.match(parsed(expression, { type: 'not', operand: { type: 'or' } }).faults, [/operand\.type/]);
});

t.test('references of all levels are visited', async (t) => {
  const zone = (id: string): object => ({ typeId: 'zone', id });
  const value = {
    name: 'a',
    zone: zone('1'),
    children: [{ name: 'b', zone: zone('2'), next: { name: 'c', zone: zone('3') } }],
  };
  const ids: string[] = [];
  tree.references!(value, (link) => ids.push('id' in link ? link.id : link.key));
  t.strictSame(ids, ['1', '2', '3']);
});

t.test('GraphQL gives and takes them as types that name themselves, each once', async (t) => {
  const names = tree.output.types().flatMap((type) => (type.type === 'object' ? [type.object.name] : []));
  t.equal(names.filter((name) => name === 'Tree').length, 1);
  const [type] = tree.output.types();
  t.ok(type?.type === 'object');
  if (type?.type === 'object') {
    const members = Object.fromEntries(type.object.fields.map((field) => [field.name, field.type]));
    t.match(members, { children: '[Tree!]', next: 'Tree' });
  }
  const inputs = expression.input!.types().map((input) => input.name);
  t.equal(new Set(inputs).size, inputs.length);
  t.strictSame(expression.input!.read!({ and: { operands: [{ not: { operand: { is: { value: 2 } } } }] } }), {
    type: 'and',
    operands: [{ type: 'not', operand: { type: 'is', value: 2 } }],
  });
});

t.test('the description of the API links to the type from within', async (t) => {
  const schemas = new Schemas();
  schemas.link(tree.schema.draft);
  schemas.link(tree.schema.value);
  const { Tree: shown, TreeDraft: draft } = schemas.all() as Record<string, { properties: object }>;
  t.match(shown, { properties: { next: { $ref: '#/components/schemas/Tree' } } });
  t.match(draft, { properties: { children: { items: { $ref: '#/components/schemas/TreeDraft' } } } });
});

t.test('predicates know the members of all levels', async (t) => {
  t.strictSame(memberOf(memberOf(memberOf(tree.shape, 'children')!, 'next')!, 'name'), { class: 'text' });
  const shape = tree.shape as ObjectShape;
  t.doesNotThrow(() => parsePredicate('children(next(name = "a" and children(name = "b")))', shape));
  t.throws(() => parsePredicate('children(next(size = 1))', shape), { code: 'InvalidInput' });
});

t.test('examples are valid, and the declaration is held to one name', async (t) => {
  for (const kind of [tree, expression] as readonly FieldKind<unknown>[])
    for (const example of kind.examples) t.strictSame(parsed(kind, example).faults, [], JSON.stringify(example));
  const named = (name: string) => () =>
    recursive<object>('Right', [], (self) => object(name, { next: optional(self) }));
  t.throws(named('Wrong'), /Right is called Wrong/);
  t.doesNotThrow(named('Right'));
  t.throws(
    () => recursive<object>('Early', [], (self) => (self.check?.({}, new Parsing()), self)),
    /before initialization/,
  );
});

t.test('kinds that no value can have are refused when they are declared', async (t) => {
  t.throws(() => integer({ min: 2, max: 1 }), /No integer is from 2 to 1/);
  t.throws(() => integer({ min: 0.5 }), /No integer/);
  t.throws(() => decimal({ min: 1, max: 0 }), /No number/);
  t.throws(() => decimal({ min: 0, max: Number.NaN }), /No number/);
  t.throws(() => enumeration('Size', []), /Size has no values/);
  t.throws(() => enumeration('Size', ['s', 's']), /one twice/);
  const branch = { typeName: 'Tagged', fields: { type: required(text()) } };
  t.throws(() => oneOf('Thing', { tagged: branch }), /a member called type/);
  t.doesNotThrow(() => oneOf('Thing', { tagged: branch }, { tag: 'name' }));
});
