/** Protects the plan of distances: every round visits everything once, and what would take too long is refused. */
import { expect, test } from 'vitest';
import { connectionNames, distanceRequestSchema } from '../../../../shared/kinds/distance/distance.ts';
import { parseKind } from '../../../edge/commands/measure-kind.ts';
import { distanceCommand } from './distance-command.ts';
import { planDistance } from './plan-distance.ts';

const requestOf = (asked: object = {}) => distanceRequestSchema.parse({ kind: 'distance', ...asked });

test('every round visits each connection on each link and on none, in an order of its own', () => {
  const rounds = planDistance(requestOf(), 7);
  expect(rounds).toHaveLength(12);
  const words = rounds.map((visits) => visits.map(({ connection, link }) => `${connection} ${link}`));
  const all = [null, 0, 1, 2, 3].flatMap((link) => connectionNames.map((name) => `${name} ${link}`));
  for (const each of words) expect(each.toSorted()).toEqual(all.toSorted());
  expect(new Set(words.map((each) => each.join())).size).toBe(12);
  expect(planDistance(requestOf(), 7)).toEqual(rounds);
});

test('what would take more than 15 minutes is refused, with what to change', () => {
  const request = requestOf({ links: ['2000ms', '1900ms'], rounds: 100 });
  expect(() => planDistance(request, 7)).toThrow(
    /^100 rounds over these links take about \d+ minutes, more than 15\. Use fewer rounds or shorter links\.$/,
  );
});

test.each([
  [{ links: [] }, /links/],
  [{ links: ['metro', '5ms'] }, /each link is named once/],
  [{ links: ['0ms'] }, /not 0/],
  [{ links: ['10000ms'] }, /not 10000/],
  [{ rounds: 5 }, /rounds/],
])('%j is refused', (asked, message) => {
  const issues = JSON.stringify(
    distanceRequestSchema.safeParse({ kind: 'distance', ...asked }).error?.issues,
  );
  expect(issues).toMatch(message);
});

test.each([[{}], [{ links: ['metro', '25ms,50mbit', '0.5ms'], rounds: 20 }]])(
  'the command of %j asks for the same again',
  (asked) => {
    const request = requestOf({ ...asked, seed: 9 });
    const words = distanceCommand(request, 9).replace('npx tls-toll distance ', '').split(' ');
    expect(parseKind('distance', distanceRequestSchema, words).request).toEqual(request);
  },
);

test('links may be separated by commas, before and after one with a rate', () => {
  const { links } = parseKind('distance', distanceRequestSchema, [
    '--links',
    'lan,25ms,50mbit,metro',
  ]).request;
  expect(links.map(({ roundTripMs, mbitPerS }) => [roundTripMs, mbitPerS])).toEqual([
    [0.2, null],
    [25, 50],
    [5, null],
  ]);
});
