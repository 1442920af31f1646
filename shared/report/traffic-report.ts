import { printMoment } from '../base/moment.ts';
import { printNumber, printQuantity, printShare, scaleFor } from '../base/quantity.ts';
import type { LoggedTraffic } from '../kinds/prices/access-log.ts';
import { facts, list, type Report, table } from './report.ts';

/** A traffic that was read from an access log, for the terminal and the page. */
export function reportTraffic(traffic: LoggedTraffic): Report {
  const { format, lines, unreadable, fromMs, toMs, sizes, lacks } = traffic;
  const read = printNumber(lines - unreadable, 0);
  const moments = [fromMs, toMs].flatMap((unixMs) => (unixMs === null ? [] : printMoment(unixMs)));
  return {
    title: [`${read} requests`, [...new Set(moments)].join(' to ')].filter((part) => part !== '').join(', '),
    lead: [],
    about: [`Read as ${format}.`],
    notes:
      unreadable === 0
        ? []
        : [
            `${printNumber(unreadable, 0)} of ${printNumber(lines, 0)} lines (${printShare(unreadable / lines)}) cannot be read. They are not counted.`,
          ],
    sections: [
      { id: 'requests', heading: 'Requests', parts: [facts(knownFacts(traffic))] },
      {
        id: 'response-sizes',
        heading: 'Response sizes',
        parts: [
          table(
            [
              { title: 'Mean size', holds: 'text' },
              { title: 'Requests', holds: 'figure' },
            ],
            sizes.map(({ bytes, share }) => [printBytes(bytes), printShare(share)]),
          ),
        ],
      },
      { id: 'missing', heading: 'Missing from the log', parts: [list(lacks)] },
    ],
  };
}

function knownFacts({ requestsPerS, peakPerS, sizes, requestsPerConnection, returningShare }: LoggedTraffic) {
  const mean = sizes.reduce((sum, { bytes, share }) => sum + bytes * share, 0);
  const known: [string, string | null][] = [
    ['Requests per second', requestsPerS === null ? null : printPerS(requestsPerS)],
    ['In the busiest minute', peakPerS === null ? null : printPerS(peakPerS)],
    ['Mean response', sizes.length === 0 ? null : printBytes(mean)],
    [
      'Requests per connection',
      requestsPerConnection === null ? null : printNumber(requestsPerConnection, 1),
    ],
    ['Returning visitors', returningShare === null ? null : printShare(returningShare)],
  ];
  return known.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}

function printPerS(rate: number): string {
  return printNumber(rate, rate < 10 ? 2 : rate < 100 ? 1 : 0);
}

function printBytes(bytes: number): string {
  return printQuantity(bytes, scaleFor('bytes', [bytes]));
}
