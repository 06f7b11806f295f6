import { shippingRates } from '../src/pricing/shipping-rate-task.ts';
import { compiled, matchesOf } from '../src/resources/shipping-method/compiled.ts';
import { servingOn } from '../src/threads/protocol.ts';

/** Projects whose methods and zones a thread keeps compiled. */
const keptMax = 100;

export const run = servingOn(shippingRates, { keptMax, make: compiled }, matchesOf);
