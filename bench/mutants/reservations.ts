import type { MutantsOfFile } from './mutant.ts';

export const reservations: readonly MutantsOfFile[] = [
  {
    file: 'resources/cart/computation/reservations',
    test: 'resources/cart/reservations',
    rules: {
      '3.9 more is reserved only where it is available': ['more > this.#availableOf(entry)', 'false'],
      '3.9 a line is reserved only where there is as much': ['quantity > this.#availableOf(entry)', 'false'],
      '3.9 what one line takes is not there for the next': [
        'this.#availableOf(entry) - quantity',
        'this.#availableOf(entry)',
      ],
      '3.9 a line that moves gives up its old stock': [
        'if (before !== undefined)\n            this.#releaseOf(before)',
        'if (false)\n            this.#releaseOf(before)',
      ],
      '3.9 what is released is there for other lines': ['entry !== undefined && isLive(of)', 'false'],
      '3.9 a line has the stock of its channel': ['entry.supplyChannel?.id === supplyChannel?.id', 'true'],
      '3.9 a line that cannot be reserved keeps its quantity': ['line.quantity = before.quantity', ''],
      '3.9 a line’s own mode goes before the cart’s': ['inventoryMode ?? cart.inventoryMode', 'cart.inventoryMode'],
      '3.9 lines that leave the cart release their units': ['[...gone, ...own]', 'own'],
    },
  },
];
