/** Protects the order of blocks: balanced, mirrored and repeatable by its seed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { twoSidesAndTwin as arms } from '../../../shared/base/transport.ts';
import { planBlocks } from './block-order.ts';

const plans = fc.tuple(fc.nat({ max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: 40 }));

test('every pair of blocks has one at each operating point', () => {
  fc.assert(
    fc.property(plans, ([seed, blocksPerPoint]) => {
      const blocks = planBlocks(arms, seed, blocksPerPoint);
      expect(blocks.map(({ index }) => index)).toEqual(
        Array.from({ length: 2 * blocksPerPoint }, (_, index) => index),
      );
      for (let first = 0; first < blocks.length; first += 2) {
        expect(blocks[first]?.kind).not.toBe(blocks[first + 1]?.kind);
      }
    }),
  );
});

test('every block visits the three arms and then the same in its mirror', () => {
  fc.assert(
    fc.property(plans, ([seed, blocksPerPoint]) => {
      for (const { order } of planBlocks(arms, seed, blocksPerPoint)) {
        expect([...order].toReversed().join('')).toBe(order);
        expect([...order.slice(0, 3)].sort().join('')).toBe('ABN');
      }
    }),
  );
});

test('the same seed plans the same blocks, and a shorter plan is the beginning of a longer one', () => {
  expect(planBlocks(arms, 42, 12)).toEqual(planBlocks(arms, 42, 12));
  expect(planBlocks(arms, 42, 5)).toEqual(planBlocks(arms, 42, 12).slice(0, 10));
  expect(planBlocks(arms, 43, 12)).not.toEqual(planBlocks(arms, 42, 12));
});

test('either operating point, and any of the six orders, comes first about as often as the others', () => {
  const runs = 1200;
  const firsts = Array.from({ length: runs }, (_, seed) => planBlocks(arms, seed, 1)[0]);
  const orders = Map.groupBy(firsts, (block) => block?.order);
  expect(orders.size).toBe(6);
  for (const blocks of orders.values()) expect(Math.abs(blocks.length - runs / 6)).toBeLessThan(50);
  const steady = firsts.filter((block) => block?.kind === 'steady').length;
  expect(Math.abs(steady - runs / 2)).toBeLessThan(70);
});
