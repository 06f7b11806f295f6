import t from 'tap';
import { availabilityIn } from '../../../src/resources/product-selection/offers.ts';

type Modes = Readonly<Record<string, 'Individual' | 'IndividualExclusion'>>;

const modes: Modes = { summer: 'Individual', winter: 'Individual', hidden: 'IndividualExclusion' };
const linkTo = (id: string) => ({ typeId: 'product-selection', id });

const only = (...skus: string[]) => ({ variantSelection: { type: 'includeOnly', skus } }) as const;
const allExcept = (...skus: string[]) => ({ variantSelection: { type: 'includeAllExcept', skus } }) as const;
const olderOnly = (...skus: string[]) => ({ variantSelection: { type: 'inclusion', skus } }) as const;
const olderExcept = (...skus: string[]) => ({ variantSelection: { type: 'exclusion', skus } }) as const;
const without = (...skus: string[]) => ({ variantExclusion: { skus } });

/** The selections that are active, what the product is to selections, and which of its variants are available then. */
const cases: readonly (readonly [
  claim: string,
  active: readonly string[],
  assigned: Readonly<Record<string, Parameters<typeof availabilityIn>[1][number] | object>>,
  available: readonly string[],
])[] = [
  ['without selections all are', [], {}, ['A', 'B', 'none']],
  ['a selection that is not active says nothing', [], { summer: {}, hidden: {} }, ['A', 'B', 'none']],
  ['a product in no active selection is not', ['summer'], { winter: {} }, []],
  ['a product in a selection is as a whole', ['summer'], { summer: {} }, ['A', 'B', 'none']],
  ['those that are named are', ['summer'], { summer: only('A') }, ['A']],
  ['those that are not named are', ['summer'], { summer: allExcept('A') }, ['B', 'none']],
  [
    'older names mean the same',
    ['summer', 'winter'],
    { summer: olderOnly('A'), winter: olderExcept('A', 'B') },
    ['A', 'none'],
  ],
  ['one selection is enough', ['summer', 'winter'], { summer: only('A'), winter: only('B') }, ['A', 'B']],
  ['what is not there is nothing', ['summer'], { summer: only('C') }, []],
  ['with exclusions alone the others are', ['hidden'], {}, ['A', 'B', 'none']],
  ['an excluded product never is', ['hidden'], { hidden: {} }, []],
  ['nor is an excluded variant', ['hidden'], { hidden: without('A') }, ['B', 'none']],
  ['an exclusion goes before a selection', ['summer', 'hidden'], { summer: {}, hidden: without('A') }, ['B', 'none']],
  ['beside a selection, what is not excluded is not in', ['summer', 'hidden'], {}, []],
];

for (const [claim, active, assigned, available] of cases) {
  t.test(claim, async (t) => {
    const modesOfActive = new Map(active.map((id) => [id, modes[id]!]));
    const assignments = Object.entries(assigned).map(([id, variants]) => ({
      productSelection: linkTo(id),
      ...variants,
    }));
    const shows = availabilityIn(modesOfActive, assignments);
    t.strictSame(
      ['A', 'B', 'none'].filter((sku) => shows(sku === 'none' ? undefined : sku)),
      available,
    );
  });
}
