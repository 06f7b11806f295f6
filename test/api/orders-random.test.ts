/**
 * Orders are made, imported, changed and deleted as a plain model has it that was written from the rules alone: random
 * requests in one project, after each of which everything is compared. TEST_CASES says how many; 10,000 take some minutes.
 * ORDERS_SEED gives others.
 */
import t from 'tap';
import { Random } from '../../src/demo/random.ts';
import { startComparison } from '../support/order-model/comparison.ts';
import { randomRequest } from '../support/order-model/random-requests.ts';
import { actionNames } from '../support/order-model/update.ts';

// Who asks for many has the time.
t.setTimeout(0);

const requestCount = Number(process.env['TEST_CASES'] ?? 600);
const seed = Number(process.env['ORDERS_SEED'] ?? 1);

t.test('the platform does with orders as the model does', async (t) => {
  const comparison = await startComparison();
  const { world, counts } = comparison;
  const random = new Random(seed);
  // Where requests begin to go wrong, the rest says little more.
  for (let index = 0; index < requestCount; index += 1) {
    const request = randomRequest(random, world);
    const fault = await comparison.faultOf(request);
    if (fault !== undefined)
      return void t.fail(`seed ${seed}, request ${index}: ${fault} after ${JSON.stringify(request)}`);
  }
  t.strictSame(await comparison.lastFaults(), [], 'all messages that there are');
  const rare = actionNames.filter((name) => !counts.done.has(name));
  t.ok(rare.length < actionNames.length / (requestCount / 150), `not done: ${rare.join(', ')}`);
  t.ok(counts.refused > requestCount / 10 && counts.refused < requestCount / 2, `${counts.refused} are refused`);
});
