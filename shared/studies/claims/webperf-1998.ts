import { printNumber } from '../../base/quantity.ts';
import type { Claim } from '../claim.ts';
import { webperf1998 } from '../tables/webperf-1998.ts';

/** What Goldberg, Buff and Schmitt found, over their 24 sizes. */

const losses = webperf1998.map(({ rateLossPercent }) => rateLossPercent);
const [least, most] = [Math.min(...losses), Math.max(...losses)];
/** A rate that falls by a share makes a time grow by 1 ÷ (1 − share), where the offset no longer counts. */
const longer = (percent: number) => 100 * (1 / (1 - percent / 100) - 1);
const large = 100_000;

const ofStudy = { study: 'webperf-1998', by: ['sizes'] } as const;

export const webperfClaims: readonly Claim[] = [
  {
    ...ofStudy,
    ...{ id: 'webperf-line', unit: 'refused lines', printed: '24 sizes, 1,000 to 100,000 bytes' },
    said: 'Time is Offset + Size ÷ Rate',
    figure: { kind: 'sizes', of: 'refused lines' },
    rule: { from: 0, to: 0 },
    note: 'Lines of HTTP and HTTPS through the 24 sizes that are refused.',
  },
  {
    ...ofStudy,
    ...{ id: 'webperf-rate', unit: '%' },
    said: `Encryption costs ${least} to ${most} % of the transfer rate`,
    printed: webperf1998.map(({ server, rateLossPercent }) => `${server} ${rateLossPercent} %`).join(', '),
    figure: { kind: 'sizes', of: 'rate loss' },
    rule: { from: least, to: most },
  },
  {
    ...ofStudy,
    ...{ id: 'webperf-large', unit: '%', printed: `follows from ${least} to ${most} % of the rate` },
    said: `A document of ${printNumber(large, 0)} bytes takes ${printNumber(longer(least), 0)} to ${printNumber(longer(most), 0)} % longer`,
    figure: { kind: 'sizes', of: { longerAt: large } },
    rule: { from: longer(least), to: longer(most) },
  },
  {
    ...ofStudy,
    ...{ id: 'webperf-offset', unit: 'µs', printed: null },
    said: 'Each server and cipher has its own Offset, which excludes the handshake',
    figure: { kind: 'sizes', of: 'offset' },
    rule: null,
    note: 'What HTTPS adds to the Offset today. The offsets of 1998 were measured with 10 Mbit/s and a server of 200 MHz.',
  },
  {
    ...ofStudy,
    ...{ id: 'webperf-spread', unit: 'times', printed: null },
    said: 'On some sides, request times vary by as much as their median',
    figure: { kind: 'sizes', of: 'spread' },
    rule: { from: 1 },
    note: 'The span of 95 % of the times of a size ÷ their median, for the size and side where it is widest.',
  },
];
