import { useState } from 'react';
import { niceTicks, printNumber, printQuantity, scaleFor } from '../../../shared/base/quantity.ts';
import { type BySide, bySide, sideNames } from '../../../shared/base/transport.ts';
import {
  type Film,
  type PageRequest,
  type PassKind,
  passesOf,
  passTitles,
  type VisitedPage,
  type VisitsDocument,
} from '../../../shared/kinds/visits/visits.ts';
import { Section } from '../../components/card.tsx';
import { DataTable, Figure, PartLegend, ScrollRegion } from '../../components/data-table.tsx';
import figure from '../../components/figure.module.css';
import { SideMark } from '../../components/pills.tsx';
import {
  ToggleChips,
  Waterfall,
  type WaterfallLane,
  type WaterfallRow,
} from '../../components/waterfall.tsx';
import { printCount } from '../../format/printed-figures.ts';
import { type Side, type Sides, sidesOf } from '../../format/sides.ts';
import classes from './lab.module.css';

/** Page by page, what the browser asked for and what it showed. Nothing where no visit was kept. */
export function PagesSection({ document }: { document: VisitsDocument }) {
  const { waterfalls, film } = document;
  const [pass, setPass] = useState<PassKind>('cold');
  const [wanted, setWanted] = useState('0');
  if (waterfalls === undefined) return null;
  const sides = sidesOf(document.sides);
  const paths = pathsOf(waterfalls, pass);
  const index = Math.min(Number(wanted), paths.length - 1);
  const pages = pageOf(waterfalls, pass, index);
  if (pages === null) return null;
  return (
    <Section id="waterfall" title="Request by request" card>
      <div className={classes.choices}>
        <ToggleChips
          label="Visit"
          value={pass}
          choices={passesOf(document.request).map((value) => ({ value, label: passTitles[value] }))}
          onChange={setPass}
        />
        {paths.length < 2 ? null : (
          <ToggleChips
            label="Page"
            value={String(index)}
            choices={paths.map((path, place) => ({
              value: String(place),
              label: labelOf(paths, path, place),
            }))}
            onChange={setWanted}
          />
        )}
      </div>
      <div className={classes.figures}>
        <WaterfallFigure path={paths[index] ?? ''} pages={pages} sides={sides} />
        {film === undefined || pass !== 'cold' ? null : (
          <FilmFigure film={film} index={index} sides={sides} />
        )}
      </div>
    </Section>
  );
}

/** A path may come twice: with another query. */
function labelOf(paths: readonly string[], path: string, place: number): string {
  const before = paths.slice(0, place).filter((each) => each === path).length;
  return before === 0 ? path : `${path} (${before + 1})`;
}

type WaterfallProps = { path: string; pages: BySide<VisitedPage>; sides: Sides };

function WaterfallFigure({ path, pages, sides }: WaterfallProps) {
  const words = waterfallInWords(path, pages, sides);
  return (
    <Figure
      caption={`${words}.`}
      marks="One visit of each side: the one whose first load is nearest to the median."
      legend={<PartsLegend colors={sideNames.map((side) => sides[side].color)} />}
      height={null}
      table={<RequestTable pages={pages} sides={sides} />}
    >
      <Waterfall
        label={`Waterfall of both sides. ${words}.`}
        lanes={lanesOf(pages, sides)}
        print={printMoment}
      />
    </Figure>
  );
}

type Row = { key: string; side: Side; request: PageRequest };

function RequestTable({ pages, sides }: Omit<WaterfallProps, 'path'>) {
  const rows = sideNames.flatMap((side) =>
    pages[side].requests.map(
      (request, index): Row => ({ key: `${side} ${index}`, side: sides[side], request }),
    ),
  );
  const time = (us: number) => (us === 0 ? '–' : printTime(us));
  return (
    <DataTable
      caption="Requests of the page on both sides"
      narrow="scroll"
      testId="requests"
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        { label: 'Side', cell: ({ side }) => side.label },
        { label: 'Request', numeric: false, cell: ({ request }) => request.name },
        {
          label: 'Status',
          numeric: false,
          cell: ({ request }) => (request.cached ? `${request.status}, from the cache` : request.status),
        },
        { label: 'Protocol', numeric: false, cell: ({ request }) => request.protocol || '–' },
        { label: 'Bytes', cell: ({ request }) => request.bytes.toLocaleString('en') },
        { label: 'Start', cell: ({ request }) => printTime(request.startUs) },
        { label: 'Queued', cell: ({ request }) => time(request.queuedUs) },
        { label: 'DNS', cell: ({ request }) => time(request.dnsUs) },
        { label: 'Connect', cell: ({ request }) => time(request.connectUs) },
        { label: 'TLS', cell: ({ request }) => time(request.tlsUs) },
        { label: 'Wait', cell: ({ request }) => time(request.waitUs) },
        { label: 'Receive', cell: ({ request }) => time(request.receiveUs) },
        { label: 'Total', cell: ({ request }) => time(lengthOf(request)) },
      ]}
    />
  );
}

const parts = [
  { label: 'DNS and connecting', fill: 'hatched' },
  { label: 'TLS handshake', fill: 'solid' },
  { label: 'Waiting for the first byte', fill: 'half' },
  { label: 'Receiving', fill: 'pale' },
] as const;

function PartsLegend({ colors }: { colors: readonly string[] }) {
  return (
    <div className={classes.legends}>
      <PartLegend parts={parts} colors={colors} />
      <ul className={figure.legend}>
        <li>
          <span className={classes.queued} /> Queued
        </li>
        <li>
          <span className={classes.cached} /> From the cache
        </li>
        <li>
          <span className={classes.paint} /> Paint
        </li>
        <li>
          <span className={classes.load} /> Load
        </li>
      </ul>
    </div>
  );
}

type Props = { film: BySide<Film>; index: number; sides: Sides };

/** Pictures of the page while it loaded, both sides at the same moments. Renders nothing without a picture. */
function FilmFigure({ film, index, sides }: Props) {
  const columns = filmColumns(film, index);
  if (columns.length === 0) return null;
  const firsts = sideNames.map((side) => {
    const first = film[side][index]?.frames[0];
    const shown = first === undefined ? 'shows nothing' : `after ${printTime(first.atUs)}`;
    return `${sides[side].label} ${shown}`;
  });
  const words = `First picture: ${firsts.join(', ')}`;
  return (
    <Figure
      caption={`${words}.`}
      marks="Filmed on one extra first visit of each side. Filming slows the browser down, so these times are in no figure above. A frame with a thick border is new."
      height={null}
      table={<FrameTable film={film} index={index} sides={sides} />}
    >
      <ScrollRegion label="Filmstrip">
        <div className={classes.film} role="img" aria-label={`Filmstrip of both sides. ${words}.`}>
          {sideNames.map((side) => (
            <div key={side} aria-hidden="true">
              <p className={classes.head}>
                <SideMark {...sides[side]} /> {sides[side].label}
              </p>
              <ol className={classes.strip}>
                {columns.map(({ atUs, pictures }) => (
                  <Frame key={atUs} atUs={atUs} shown={pictures[side]} color={sides[side].color} />
                ))}
              </ol>
            </div>
          ))}
        </div>
      </ScrollRegion>
    </Figure>
  );
}

type FrameProps = { atUs: number; shown: { picture: string; isNew: boolean } | null; color: string };

function Frame({ atUs, shown, color }: FrameProps) {
  return (
    <li className={classes.frame}>
      {shown === null ? (
        <span className={classes.blank} />
      ) : (
        <img
          src={`data:image/jpeg;base64,${shown.picture}`}
          alt=""
          data-new={shown.isNew}
          style={shown.isNew ? { borderColor: color } : undefined}
        />
      )}
      <span>{printMoment(atUs)}</span>
    </li>
  );
}

function FrameTable({ film, index, sides }: Props) {
  const rows = sideNames.flatMap((side) =>
    (film[side][index]?.frames ?? []).map(({ atUs }, place) => ({
      key: `${side} ${place}`,
      side: sides[side].label,
      place: place + 1,
      at: printTime(atUs),
    })),
  );
  return (
    <DataTable
      caption="Pictures of the page on both sides"
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        { label: 'Side', cell: ({ side }) => side },
        { label: 'Picture', cell: ({ place }) => place },
        { label: 'Shown from', cell: ({ at }) => at },
      ]}
    />
  );
}

type Waterfalls = NonNullable<VisitsDocument['waterfalls']>;

/** The pages that both sides have on a pass, in their order. */
function pathsOf(waterfalls: Waterfalls, pass: PassKind): string[] {
  const count = Math.min(...sideNames.map((side) => waterfalls[side][pass]?.length ?? 0));
  return (waterfalls.baseline[pass] ?? []).slice(0, count).map(({ path }) => path);
}

/** One page of both sides; null where a side does not have it. */
function pageOf(waterfalls: Waterfalls, pass: PassKind, index: number): BySide<VisitedPage> | null {
  const { baseline, comparison } = bySide((side) => waterfalls[side][pass]?.[index]);
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

function lengthOf({ queuedUs, dnsUs, connectUs, tlsUs, waitUs, receiveUs }: Parts & { startUs?: number }) {
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
function printTime(us: number): string {
  return printQuantity(us, scaleFor('us', [us], [us / 10]));
}

/** Label of an axis tick: `50 ms`. */
function printMoment(us: number): string {
  return `${printNumber(us / 1000, us % 1000 === 0 ? 0 : 1)} ms`;
}

/** Pictures of a page at one moment; null before the first picture of a side. */
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
