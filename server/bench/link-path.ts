import { type Link, linkInShort } from '../../shared/kinds/comparison/link.ts';
import { startLinks } from '../drive/link/start-links.ts';
import { summariseAdded } from '../method/statistics/estimates.ts';
import { measurePath, type PathFigures } from '../testing/measure-path.ts';
import type { LongOptions } from './bench-options.ts';
import { printTable } from './print-table.ts';
import { binomialInterval } from './spread.ts';

/** A path as UDP and TCP find it, against what was asked: the delay, the share of lost packets, and the rate. */

const roundTripsMs = [0, 20, 100];
const losses = [undefined, 0.5, 2];
const rates = [10, 100];

const extent = { pings: 50, packets: 4000, longestMs: 12_000 };
/** For intervals of the share of lost packets: high, because there are many of them. */
const confidence = 0.99;

function plannedLinks(): Link[] {
  const lossy = roundTripsMs.flatMap((roundTripMs) =>
    losses.map((lossPercent) => ({
      ...{ roundTripMs, mbitPerS: null },
      ...(lossPercent === undefined ? {} : { lossPercent }),
    })),
  );
  return [...lossy, ...rates.map((mbitPerS) => ({ roundTripMs: 20, mbitPerS }))];
}

/** Needs root: a relay carries no UDP. */
export async function measureLinks({ seed, signal }: Pick<LongOptions, 'seed' | 'signal'>) {
  const links = await startLinks(signal);
  try {
    const rows = [];
    for (const [index, link] of plannedLinks().entries()) {
      signal.throwIfAborted();
      const open: Parameters<typeof measurePath>[0] = (asked, targets) =>
        links.open(asked, targets, { protocol: 'UDP', seed: seed + index });
      const measured = await measurePath(open, link, extent);
      await links.close();
      for (const [protocol, figures] of Object.entries(measured)) rows.push(rowOf(link, protocol, figures));
    }
    return { rows, text: printRows(rows) };
  } finally {
    await links.stop();
  }
}

function rowOf(link: Link, protocol: string, { addedMs, packets, lost, mbitPerS }: PathFigures) {
  const { lossPercent = 0 } = link;
  const share = binomialInterval(lost, packets, confidence);
  const isAsked = share !== null && share.lo <= lossPercent / 100 && lossPercent / 100 <= share.hi;
  const added = summariseAdded(addedMs);
  return {
    ...{ bench: 'link', link: linkInShort(link), protocol },
    ...{ addedMs: added?.median ?? null, addedP95Ms: added?.p95 ?? null },
    ...{ packets, lostPercent: (100 * lost) / packets, isAsked, mbitPerS },
  };
}

function printRows(rows: readonly ReturnType<typeof rowOf>[]): string {
  const print = (value: number | null, digits: number) => (value === null ? '' : value.toFixed(digits));
  return printTable(
    ['link', 'protocol', 'added, median ms', '95 %, ms', 'packets', 'lost, %', 'as asked', 'Mbit/s'],
    rows.map(({ link, protocol, addedMs, addedP95Ms, packets, lostPercent, isAsked, mbitPerS }) => [
      ...[link, protocol, print(addedMs, 2), print(addedP95Ms, 2), `${packets}`, print(lostPercent, 2)],
      ...[isAsked ? 'yes' : 'no', print(mbitPerS, 1)],
    ]),
  );
}
