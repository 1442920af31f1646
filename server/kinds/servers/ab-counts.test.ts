/** Protects the order of a sweep: every cell once a round, groups together, and again the same with the same seed. */
import { expect, test } from 'vitest';
import { expandPlan } from '../../../shared/kinds/servers/servers-cells.ts';
import { factorPlanSchema } from '../../../shared/kinds/servers/servers-result.ts';
import { orderVisits } from './ab-counts.ts';

const cells = expandPlan(
  factorPlanSchema.parse({
    shape: 'grid',
    levels: { server: ['nginx', 'apache'], keepAlive: [true, false] },
  }),
);

test('each round visits every cell once, the cells of a group one after the other', () => {
  const visits = [...orderVisits(cells, 3, 5)];
  for (const round of [0, 1, 2]) {
    const groups = visits.filter((visit) => visit.round === round);
    expect(groups.map(({ group }) => group.target.server).toSorted()).toEqual(['apache', 'nginx']);
    for (const { group, cells: own } of groups) expect(new Set(own)).toEqual(new Set(group.cells));
    expect(groups.flatMap((each) => each.cells)).toHaveLength(cells.length);
  }
});

test('a seed has one order, so a sweep can go on where it was', () => {
  const idsOf = (seed: number) =>
    [...orderVisits(cells, 3, seed)].flatMap((visit) => visit.cells.map(({ id }) => id));
  expect(idsOf(5)).toEqual(idsOf(5));
  expect(idsOf(5)).not.toEqual(idsOf(6));
});
