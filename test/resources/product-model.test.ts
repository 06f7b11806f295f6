/** Actions of products against a plain model of what is current and what is staged: thousands of them, at random. */
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { Random } from '../../src/demo/random.ts';
import type { ApplyContext } from '../../src/engine/resource.ts';
import { ApiError } from '../../src/errors/api-error.ts';
import type { Fields } from '../../src/fields/field.ts';
import { Parsing } from '../../src/fields/parsing.ts';
import type { Product, ProductDraft } from '../../src/resources/product/fields.ts';
import { productFrom } from '../../src/resources/product/create.ts';
import { product as resource } from '../../src/resources/product/resource.ts';
import { definition, productType } from '../support/attribute-values.ts';
import { attributesOfType, expected, type Input, type Model, states } from '../support/product-model/model.ts';
import { actionNames, RandomActions } from '../support/product-model/random-actions.ts';

const productCount = Number(process.env['TEST_CASES'] ?? 60);
const actionCount = 250;

const type = productType(
  'any',
  Object.entries(attributesOfType).map(([name, rest]) => definition(name, { name: 'text' }, rest)),
);

function describing(kind: string, id: string): unknown {
  if (kind === 'product-type') return type;
  if (kind === 'product-discount') return { id, isActive: true, value: { type: 'external' } };
  if (kind !== 'state') return undefined;
  const { initial, transitions } = states[id]!;
  return {
    id,
    initial,
    ...(transitions && { transitions: transitions.map((next) => ({ typeId: 'state', id: next })) }),
  };
}

/** What a request gives to actions, as far as these ask for it. */
function contextOf(internals: Record<string, unknown>): ApplyContext {
  const context: Partial<ApplyContext> = {
    found: { one: (kind: string, id: string) => describing(kind, id) as never, holder: () => undefined },
    internals,
    said: new Set(),
    told: [],
    parsing: new Parsing(),
  };
  return context as ApplyContext;
}

/** As the fields would have parsed it. */
function givenOf(fields: Fields, input: Input): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(structuredClone(input)).filter(([name]) => Object.hasOwn(fields, name)));
}

interface State {
  readonly product: Product;
  readonly internals: Record<string, unknown>;
}

function newProduct(): State {
  const internals = {};
  const draft = {
    productType: { typeId: 'product-type', id: 'any' },
    name: { en: 'name' },
    slug: { en: 'slug' },
    categories: [],
    categoryOrderHints: {},
    searchKeywords: {},
    attributes: [],
    priceMode: 'Embedded',
    publish: false,
    variants: [],
  };
  const product = productFrom(draft as unknown as ProductDraft, contextOf(internals)) as unknown as Product;
  resource.derive(product as never);
  return { product, internals };
}

/** What the platform makes of the action. Undefined where it is refused. */
function changed(before: State, name: string, input: Input): State | undefined {
  const { product, internals } = structuredClone(before);
  const context = contextOf(internals);
  try {
    const { fields, apply } = resource.actions.get(name)!;
    apply(product as never, givenOf(fields, input), context);
    context.parsing.settle();
    for (const completion of context.parsing.completions()) completion();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
  resource.derive(product as never);
  return { product, internals };
}

function shownOf({ key, taxCategory, state, priceMode, masterData }: Model['product']): unknown {
  return JSON.parse(JSON.stringify({ key, taxCategory, state, priceMode, masterData }));
}

t.test('actions change what is staged and what is current as a plain model says', async (t) => {
  const actions = new RandomActions(new Random(14));
  const taken = new Map<string, number>();
  for (let round = 0; round < productCount; round += 1) {
    let state = newProduct();
    let model: Model = { product: state.product, lastId: 1 };
    for (let step = 0; step < actionCount; step += 1) {
      const { name, input } = actions.next(model);
      const after = expected(model, name, input);
      const own = changed(state, name, input);
      if ((own === undefined) !== (after === undefined))
        return void t.fail(`${name} ${JSON.stringify({ input, isRefused: own === undefined, model })}`);
      if (own === undefined || after === undefined) continue;
      const [shown, wanted] = [shownOf(own.product), shownOf(after.product)];
      if (!isDeepStrictEqual(shown, wanted))
        return void t.strictSame(shown, wanted, `${name} ${JSON.stringify(input)}`);
      taken.set(name, (taken.get(name) ?? 0) + 1);
      [state, model] = [own, after];
    }
  }
  t.strictSame(
    actionNames.filter((name) => (taken.get(name) ?? 0) < productCount / 3),
    [],
    'each is taken often enough',
  );
});

t.test('the model has every action', async (t) => {
  t.strictSame(actionNames.toSorted(), [...resource.actions.keys()].toSorted());
});
