import { printNumber, printQuantity, scaleFor } from '../../../../shared/base/quantity.ts';
import { type BySide, bySide, sideNames } from '../../../../shared/base/transport.ts';
import type { PassKind, VisitsDocument } from '../../../../shared/kinds/visits/visits.ts';
import type { Film, PageRequest, VisitedPage } from '../../../../shared/kinds/visits/waterfall.ts';
import type { WaterfallLane, WaterfallRow } from '../../../components/waterfall.tsx';
import { printCount } from '../../../format/count.ts';
import { niceTicks } from '../../../format/nice-ticks.ts';
import type { Sides } from '../../../format/side.ts';

type Waterfalls = NonNullable<VisitsDocument['waterfalls']>;

/** The pages that both sides have on a pass, in their order. */
export function pathsOf(waterfalls: Waterfalls, pass: PassKind): string[] {
  const count = Math.min(...sideNames.map((side) => waterfalls[side][pass].length));
  return waterfalls.baseline[pass].slice(0, count).map(({ path }) => path);
}

/** One page of both sides; null where a side does not have it. */
export function pageOf(waterfalls: Waterfalls, pass: PassKind, index: number): BySide<VisitedPage> | null {
  const { baseline, comparison } = bySide((side) => waterfalls[side][pass][index]);
  return baseline === undefined || comparison === undefined ? null : { baseline, comparison };
}

export function lanesOf(pages: BySide<VisitedPage>, sides: Sides): WaterfallLane[] {
  return sideNames.map((side) => {
    const { fcpUs, lcpUs, loadUs, requests, more } = pages[side];
    return {
      side: sides[side],
      lead: [
        leadOf(pages[side]),
        ...(more === 0 ? [] : [`${printCount(more, 'more request')} not drawn`]),
      ].join('; '),
      rows: requests.map(rowOf),
      marks: [
        ...(fcpUs === null ? [] : [{ name: 'First contentful paint', at: fcpUs, dashed: true }]),
        ...(lcpUs === null || lcpUs === fcpUs
          ? []
          : [{ name: 'Largest contentful paint', at: lcpUs, dashed: true }]),
        { name: 'Load', at: loadUs, dashed: false },
      ],
    };
  });
}

function leadOf({ ttfbUs, fcpUs, lcpUs, loadUs }: VisitedPage): string {
  const times = [
    ['first byte', ttfbUs],
    ['first paint', fcpUs],
    ...(lcpUs === fcpUs ? [] : [['largest paint', lcpUs] as const]),
    ['load', loadUs],
  ] as const;
  return times.flatMap(([name, us]) => (us === null ? [] : [`${name} ${printTime(us)}`])).join(', ');
}

function rowOf({ name, cached, startUs, ...parts }: PageRequest): WaterfallRow {
  const length = lengthOf({ startUs, ...parts });
  return {
    name: name.split('/').findLast((part) => part !== '') ?? name,
    start: startUs,
    parts: cached
      ? [{ fill: 'cached', length }]
      : [
          { fill: 'line', length: parts.queuedUs },
          { fill: 'hatched', length: parts.dnsUs + parts.connectUs },
          { fill: 'solid', length: parts.tlsUs },
          { fill: 'half', length: parts.waitUs },
          { fill: 'pale', length: parts.receiveUs },
        ],
  };
}

type Parts = Pick<PageRequest, 'queuedUs' | 'dnsUs' | 'connectUs' | 'tlsUs' | 'waitUs' | 'receiveUs'>;

export function lengthOf({
  queuedUs,
  dnsUs,
  connectUs,
  tlsUs,
  waitUs,
  receiveUs,
}: Parts & { startUs?: number }) {
  return queuedUs + dnsUs + connectUs + tlsUs + waitUs + receiveUs;
}

/** The finding: how long each side took, and what TLS did in it. */
export function waterfallInWords(path: string, pages: BySide<VisitedPage>, sides: Sides): string {
  const loads = sideNames.map((side) => `${printTime(pages[side].loadUs)} with ${sides[side].label}`);
  const handshakes = sideNames.flatMap((side) => {
    const made = pages[side].requests.filter(({ tlsUs }) => tlsUs > 0);
    if (made.length === 0) return [];
    const us = made.reduce((sum, { tlsUs }) => sum + tlsUs, 0);
    return [
      `${printCount(made.length, 'TLS handshake')} with ${sides[side].label}, ${printTime(us)} added up`,
    ];
  });
  return `${path} loaded in ${loads.join(' and ')}; ${handshakes.length === 0 ? 'no TLS handshake was needed' : handshakes.join('; ')}`;
}

/** `120 ms`. */
export function printTime(us: number): string {
  return printQuantity(us, scaleFor('us', [us], [us / 10]));
}

/** Of an axis: `50 ms`. */
export function printMoment(us: number): string {
  return `${printNumber(us / 1000, us % 1000 === 0 ? 0 : 1)} ms`;
}

/** What a page looked like at one moment: the picture that stood there, or none yet. */
type FilmColumn = { atUs: number; pictures: BySide<{ picture: string; isNew: boolean } | null> };

/** Both sides at the same moments, from the first one on which a side shows something. Empty without pictures. */
export function filmColumns(film: BySide<Film>, index: number): FilmColumn[] {
  const frames = bySide((side) => film[side][index]?.frames ?? []);
  const moments = sideNames.flatMap((side) => frames[side].map(({ atUs }) => atUs));
  if (moments.length === 0) return [];
  const [first, last] = [Math.min(...moments), Math.max(...moments)];
  const ticks = niceTicks(0, last, mostColumns - 2);
  const step = (ticks[1] ?? last) - (ticks[0] ?? 0) || last || 1;
  const from = Math.max(0, Math.floor(first / step) * step);
  const count = Math.ceil((last - from) / step) + 1;
  return Array.from({ length: count }, (_, column) => {
    const atUs = from + column * step;
    return {
      atUs,
      pictures: bySide((side) => {
        const shown = frames[side].findLast((frame) => frame.atUs <= atUs);
        if (shown === undefined) return null;
        return { picture: shown.picture, isNew: shown.atUs > atUs - step };
      }),
    };
  });
}

const mostColumns = 8;
