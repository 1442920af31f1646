import { capitalized } from '../../base/capitalized.ts';
import { printNumber } from '../../base/quantity.ts';
import type { Estimate } from '../../kinds/comparison/comparison.ts';
import type { AbFigures } from '../../kinds/servers/ab-figures.ts';
import type { CellSettings } from '../../kinds/servers/servers.ts';
import { listed } from '../../words/listed.ts';
import { malmgren2011 } from '../tables/malmgren-2011.ts';

/** The report of 2011 beside that of a cell of today, where they asked for the same. */

export type ThenAndNowRow = {
  name: string;
  unit: string;
  earlier: number;
  today: number;
  /** Today's, over the rounds; null for what is of one round. */
  interval: Estimate | null;
  /** Today's divided by that of 2011. */
  factor: number;
};

type MalmgrenBeside = {
  /** Which measurement of the study it is, and in what the cell differs. */
  sentences: string[];
  rows: ThenAndNowRow[];
};

const then = malmgren2011;

/**
 * The study's one full report is of nginx, with connections that stay open and several at a time. Null for a cell that asked
 * for something else; what differs beyond that is said.
 * @param now of HTTPS
 * @param perS requests per second of the cell, over the rounds
 */
export function besideMalmgren(
  { server, keepAlive, document, concurrency, key, cipher, protocol }: CellSettings,
  now: AbFigures,
  perS: Estimate | null,
): MalmgrenBeside | null {
  if (server !== 'nginx' || !keepAlive || document !== then.documentBytes || concurrency < 2) return null;
  const differences = [
    now.tls?.protocol.split(',').slice(0, 2).join(' with ') ??
      `${protocol} with ${cipher ?? 'the library’s cipher'}`,
    ...(key === 'RSA-2048' ? [] : [`a key of ${key}`]),
    ...(concurrency === then.concurrency ? [] : [`${printNumber(concurrency, 0)} connections`]),
  ];
  return {
    sentences: [
      'Closest measurement of the study: nginx 1.0.2, RC4-SHA, RSA-2048, keep-alive, 800 connections, 5,496 bytes.',
      `This cell has ${listed(differences)} instead.`,
    ],
    rows: [
      rowOf('Requests per second', '', ({ requestsPerS }) => requestsPerS, now, perS),
      rowOf('Time per request, mean', 'ms', ({ msPerRequest }) => msPerRequest, now),
      rowOf('Transfer rate', 'KiB/s', ({ kibPerS }) => kibPerS, now),
      ...(['processing', 'waiting', 'total'] as const).flatMap((phase) =>
        now.timesMs === null
          ? []
          : [rowOf(`${capitalized(phase)}, mean`, 'ms', ({ timesMs }) => timesMs?.[phase].mean ?? 0, now)],
      ),
      ...[50, 90, 99, 100].flatMap((percent) =>
        now.percentiles.length === 0
          ? []
          : [rowOf(`${percent} % within`, 'ms', (figures) => atPercent(figures, percent), now)],
      ),
    ],
  };
}

function rowOf(
  name: string,
  unit: string,
  read: (figures: Omit<AbFigures, 'hostname' | 'port'>) => number,
  now: AbFigures,
  interval: Estimate | null = null,
): ThenAndNowRow {
  const today = interval?.center ?? read(now);
  const earlier = read(then);
  return { name, unit, earlier, today, interval, factor: today / earlier };
}

function atPercent({ percentiles }: Pick<AbFigures, 'percentiles'>, percent: number): number {
  return percentiles.find((each) => each.percent === percent)?.ms ?? 0;
}
