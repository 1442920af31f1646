/** Protects how links are listed on the command line: with commas between them, and within them. */
import { expect, test } from 'vitest';
import { linkWord } from '../../../shared/kinds/comparison/link-text.ts';
import { parseDistance } from './distance.ts';

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
  const { request } = parseDistance(['--links', ...given]);
  expect(request.links.map(linkWord)).toEqual(links);
});
