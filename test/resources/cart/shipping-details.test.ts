import t from 'tap';
import {
  detailsWith,
  newDetails,
  removeTargets,
  shippingDetailsActions,
} from '../../../src/resources/cart/actions/shipping-details.ts';
import { shippingTargetsMax } from '../../../src/resources/cart/limits.ts';

type Item = Parameters<typeof removeTargets>[0];

const cart = { shippingMode: 'Single' } as const;

function targetsTo(count: number): readonly { readonly addressKey: string; quantity: number }[] {
  return Array.from({ length: count }, (_, index) => ({ addressKey: `address-${index}`, quantity: 1 }));
}

/** What the functions read of one. */
function itemTo(count: number): Item {
  return { shippingDetails: newDetails(cart, targetsTo(count)) } as Item;
}

t.test('the units of an item have so many targets', async (t) => {
  const full = itemTo(shippingTargetsMax);
  t.equal(full.shippingDetails?.targets.length, shippingTargetsMax);
  const tooMany = { code: 'InvalidOperation' };
  t.throws(() => newDetails(cart, targetsTo(shippingTargetsMax + 1)), tooMany);
  t.throws(() => detailsWith(cart, full, [{ addressKey: 'other', quantity: 1 }]), tooMany);
  t.equal(detailsWith(cart, full, targetsTo(shippingTargetsMax)).targets.length, shippingTargetsMax, 'that are there');
  const moved = [
    { addressKey: 'address-0', quantity: -1 },
    { addressKey: 'other', quantity: 1 },
  ];
  t.equal(detailsWith(cart, full, moved).targets.at(-1)?.addressKey, 'other', 'one in place of another');
});

t.test('a change touches the targets that it names alone', async (t) => {
  const item = itemTo(3);
  const [first, second, third] = item.shippingDetails!.targets;
  removeTargets(item, [{ addressKey: 'address-1', quantity: 1 }]);
  const left = item.shippingDetails!.targets;
  t.equal(left.length, 2);
  t.equal(left[0], first);
  t.equal(left[1], third);
  t.equal(second!.quantity, 1, 'and leaves them as they were');
});

t.test('units are summed by address and method, in the order in which they are first named', async (t) => {
  const target = (addressKey: string, shippingMethodKey: string, quantity: number) => ({
    addressKey,
    shippingMethodKey,
    quantity,
  });
  const item = { shippingDetails: newDetails(cart, [target('a', 'x', 1), target('b', 'x', 2)]) } as Item;
  const more = [
    target('c', 'x', 1),
    target('a', 'y', 1),
    target('b', 'x', 1),
    target('c', 'y', 0),
    target('a', 'y', 2),
  ];
  t.strictSame(detailsWith(cart, item, more).targets, [
    target('a', 'x', 1),
    target('b', 'x', 3),
    target('c', 'x', 1),
    target('a', 'y', 3),
  ]);
});

t.test('no target ever has less than no units', async (t) => {
  const item = itemTo(1);
  const { applyDelta } = shippingDetailsActions({}, () => item);
  const targetsDelta = [
    { addressKey: 'address-0', quantity: -2 },
    { addressKey: 'address-0', quantity: 2 },
  ];
  t.throws(() => applyDelta.apply(cart as never, { targetsDelta } as never, {} as never), { code: 'InvalidOperation' });
});
