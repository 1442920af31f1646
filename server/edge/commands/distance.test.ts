/** Protects how links are listed on the command line: with commas between them, and within them. */
import { expect, test } from 'vitest';
import { linkWord } from '../../../shared/kinds/comparison/link-text.ts';
import { distanceRequestSchema } from '../../../shared/kinds/distance/distance.ts';
import { parseKind } from './measure-kind.ts';

test.each([
  [['metro,25ms,50mbit'], ['metro', '25ms,50mbit']],
  [
    ['metro,1%,iw20,bbr,continent', '25 ms'],
    ['metro,1%,iw20,bbr', 'continent', '25ms'],
  ],
  [
    ['mobile', '0.5ms,reno'],
    ['mobile', '0.5ms,reno'],
  ],
])('--links %j is %j', (given, links) => {
  const { request } = parseKind('distance', distanceRequestSchema, ['--links', ...given]);
  expect(request.links.map(linkWord)).toEqual(links);
});
