import { NativeSelect } from '@mantine/core';
import { lazy } from 'react';
import { mapEstimate, quotientOf } from '../../../shared/base/estimate-arithmetic.ts';
import { printChange, printNumber } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import {
  type CellResult,
  type CellSettings,
  factorNames,
  type ServersCell,
  type ServersDocument,
} from '../../../shared/kinds/servers/servers-result.ts';
import { serverTitles } from '../../../shared/target/target-words.ts';
import { Section } from '../../components/card.tsx';
import { DataTable, Figure, Legend, LongTable } from '../../components/data-table.tsx';
import { IntervalRows } from '../../components/delta-section.tsx';
import { useAddress } from '../../components/links.tsx';
import { OverlaySection } from '../../components/overlay-section.tsx';
import { ChoicePills } from '../../components/pills.tsx';
import { type factorTitles, printLevel, varying } from '../../format/factor-words.ts';
import { percentOf, printCount, printInterval, printRatio, printWhen } from '../../format/printed-figures.ts';
import {
  type LevelMeasure,
  levelMeasures,
  measureNames,
  namesOf,
  printShare,
  sideLooks,
} from './cell-measures.ts';
import classes from './servers.module.css';

const mostDrawn = 20;
/** Neither side’s: these are changes of HTTPS between two days. */
const color = '#7A7F87';

/** This sweep beside another one of the same cells. */
export function ServersOverlay({ document }: { document: ServersDocument }) {
  return (
    <OverlaySection document={document}>
      {(other) => <Overlay document={document} other={other} />}
    </OverlaySection>
  );
}

function Overlay({ document, other }: { document: ServersDocument; other: ServersDocument }) {
  const [measure, setMeasure] = useAddress<LevelMeasure>('change', measureNames, 'cpu');
  const overlaid = overlayCells(document.cells, other.cells, measure).toSorted(byChange);
  const changed = overlaid.filter(hasChanged).length;
  const nameOf = namesOf(overlaid.map(({ cell }) => cell));
  const { title } = levelMeasures[measure];
  const caption =
    overlaid.length === 0
      ? 'No combination was measured in both sweeps.'
      : `${title} over HTTPS, this sweep against the one of ${printWhen(other.createdAt)}: ${changed} of ${printCount(overlaid.length, 'combination')} changed. Bars are 95 % CI.`;
  return (
    <>
      <ChoicePills
        legend="Change of"
        legendShown
        name="change"
        value={measure}
        choices={measureNames.map((value) => ({ value, label: levelMeasures[value].label }))}
        onChange={setMeasure}
      />
      {overlaid.length === 0 ? (
        <p>{caption}</p>
      ) : (
        <Figure
          height={null}
          caption={caption}
          table={<OverlayTable overlaid={overlaid} measure={measure} nameOf={nameOf} />}
        >
          <IntervalRows
            label={caption}
            rows={overlaid.slice(0, mostDrawn).map((each) => ({
              name: nameOf(each.cell),
              interval: mapEstimate(each.change, percentOf),
              hollow: null,
            }))}
            level={0}
            band={null}
            color={color}
            marker="circle"
            print={(percent) => printChange(1 + percent / 100)}
          />
        </Figure>
      )}
    </>
  );
}

type TableProps = {
  overlaid: readonly Overlaid[];
  measure: LevelMeasure;
  nameOf: (cell: ServersCell) => string;
};

function OverlayTable({ overlaid, measure, nameOf }: TableProps) {
  const { printBar } = levelMeasures[measure];
  const print = measure === 'overhead' ? printRatio : printBar;
  return (
    <LongTable
      caption="Combinations in both sweeps"
      first={mostDrawn}
      what="combination"
      narrow="scroll"
      rows={overlaid}
      keyOf={({ cell }) => cell.id}
      columns={[
        { label: 'Combination', cell: ({ cell }) => nameOf(cell) },
        { label: 'Then', numeric: true, cell: ({ earlier }) => print(earlier) },
        { label: 'Now', numeric: true, cell: ({ later }) => print(later) },
        { label: 'Change', numeric: true, cell: ({ change }) => printRatio(change) },
      ]}
    />
  );
}

/** One cell in two sweeps. */
type Overlaid = {
  cell: ServersCell;
  earlier: Estimate;
  later: Estimate;
  /** later divided by earlier; the sweeps are independent. */
  change: Estimate;
};

/** Figure of a cell that is compared: HTTPS, or the cost it adds. */
const readings: Record<LevelMeasure, (result: CellResult) => Estimate | undefined> = {
  throughput: ({ throughput }) => throughput?.https,
  cpu: ({ cpu }) => cpu?.https,
  overhead: ({ cpu }) => cpu?.ratio,
};

/** Cells that both sweeps have measured, in the order of the later one. */
export function overlayCells(
  later: readonly CellResult[],
  earlier: readonly CellResult[],
  measure: LevelMeasure,
): Overlaid[] {
  const before = new Map(earlier.map((result) => [result.cell.id, result]));
  const read = readings[measure];
  return later.flatMap((result) => {
    const found = before.get(result.cell.id);
    const [one, other] = [found && read(found), read(result)];
    return one === undefined || other === undefined
      ? []
      : [{ cell: result.cell, earlier: one, later: other, change: quotientOf(other, one) }];
  });
}

export function hasChanged({ change: { lo, hi } }: Overlaid): boolean {
  return lo > 1 || hi < 1;
}

/** The most changed first, whichever way. */
export function byChange(one: Overlaid, other: Overlaid): number {
  const size = ({ change }: Overlaid) => Math.abs(Math.log(change.center));
  return size(other) - size(one);
}

const XyChart = lazy(() => import('../../charts/xy-chart.tsx'));

/** Requests per second over the connections, a curve for each server, and where errors begin. */
export function ConcurrencySection({ document: { cells } }: { document: Pick<ServersDocument, 'cells'> }) {
  const sets = curveSets(cells);
  const names = sets.map(({ name }) => name);
  const [chosen, choose] = useAddress('rest', names, names[0] ?? '');
  const set = sets.find(({ name }) => name === chosen);
  if (set === undefined) return null;
  const most = roundUp(
    ...set.curves.flatMap(({ points }) =>
      points.flatMap(({ throughput }) =>
        throughput === null ? [] : [throughput.http.hi, throughput.https.hi],
      ),
    ),
  );
  return (
    <Section id="concurrency" title="Requests per second by connections" lead="Bars are 95 % CI." card>
      <div className="stack wide">
        {sets.length < 2 ? null : (
          <NativeSelect
            label="Other settings"
            value={set.name}
            onChange={(event) => choose(event.currentTarget.value)}
            data={names}
          />
        )}
        <div className={classes.curves}>
          {set.curves.map((curve) => (
            <CurveFigure key={curve.server} curve={curve} most={most} />
          ))}
        </div>
      </div>
    </Section>
  );
}

/** The largest, up to the next half of its power of ten, as the end of an axis. */
function roundUp(...values: number[]): number {
  const largest = Math.max(1, ...values);
  const half = 10 ** Math.floor(Math.log10(largest)) / 2;
  return half * Math.ceil(largest / half);
}

/** @param most of all servers, so that their curves can be compared */
function CurveFigure({ curve, most }: { curve: Curve; most: number }) {
  const { server, points } = curve;
  const ticks = points.map(({ cell }) => cell.settings.concurrency);
  const caption = whereErrorsBegin(curve);
  const failing = points.filter((point) => hasErrors(point) && point.throughput !== null);
  return (
    <Figure
      height={260}
      caption={caption}
      legend={
        <Legend items={[sideLooks.http, sideLooks.https, ...(failing.length > 0 ? [errorLook] : [])]} />
      }
      table={
        <DataTable
          caption={`${serverTitles[server]} by connections`}
          narrow="scroll"
          rows={points}
          keyOf={({ cell }) => cell.id}
          of={({ cell }) => `servers/${cell.id}`}
          columns={[
            { label: 'Connections', cell: ({ cell }) => printNumber(cell.settings.concurrency, 0) },
            {
              ...{ label: 'HTTP, requests/s', part: 'throughput/first', numeric: true },
              cell: (point) => printInterval(point.throughput?.http, 0),
            },
            {
              ...{ label: 'HTTPS, requests/s', part: 'throughput/second', numeric: true },
              cell: (point) => printInterval(point.throughput?.https, 0),
            },
            {
              ...{ label: 'Errors', part: 'errors', numeric: true },
              cell: ({ errorShare, failures }) => failures[0] ?? printShare(errorShare),
            },
          ]}
        />
      }
    >
      <XyChart
        label={`${serverTitles[server]}: requests per second over connections. ${caption}`}
        series={[
          ...(['http', 'https'] as const).map((side) => seriesOf(points, side)),
          {
            ...{ ...errorLook, line: false, markerSize: 9, quiet: true },
            points: failing.map((point) => ({
              x: point.cell.settings.concurrency,
              y: point.throughput?.https.center ?? Number.NaN,
            })),
          },
        ]}
        x={{ title: 'connections', log: true, ticks, print: (value) => printNumber(value, 0) }}
        y={{
          title: 'requests/s',
          unit: 'requests/s',
          fromZero: true,
          max: most,
          print: (value) => printNumber(value, 0),
        }}
      />
    </Figure>
  );
}

const errorLook = { label: 'Errors', color: '#B3261E', dashed: false, marker: 'circle' } as const;

function seriesOf(points: readonly CellResult[], side: 'http' | 'https') {
  const measured = points.flatMap(({ cell, throughput }) =>
    throughput === null ? [] : [{ x: cell.settings.concurrency, ...throughput[side] }],
  );
  return {
    ...sideLooks[side],
    ...{ line: true, markerSize: 4 },
    points: measured.map(({ x, center }) => ({ x, y: center })),
    spreads: measured.map(({ x, lo, hi }) => ({ x, wide: [lo, hi] as const, thin: [lo, hi] as const })),
  };
}

/** One server over the numbers of connections, ascending, everything else alike. */
type Curve = { server: CellSettings['server']; points: CellResult[] };

/** Curves whose cells share all other settings. */
type CurveSet = { name: string; curves: Curve[] };

/** Empty when the number of connections does not vary. */
export function curveSets(cells: readonly CellResult[]): CurveSet[] {
  const others = varying(cells.map(({ cell }) => cell)).filter(
    (factor) => factor !== 'concurrency' && factor !== 'server',
  );
  const sets = Map.groupBy(cells, ({ cell: { settings } }) =>
    factorNames
      .filter((factor) => factor !== 'concurrency' && factor !== 'server')
      .map((factor) => settings[factor])
      .join(' '),
  );
  return [...sets.values()].flatMap((of) => {
    const [first] = of;
    const curves = [...Map.groupBy(of, ({ cell }) => cell.settings.server)]
      .map(([server, points]): Curve => ({ server, points: points.toSorted(byConcurrency) }))
      .filter(({ points }) => points.length > 1);
    if (first === undefined || curves.length === 0) return [];
    const levels = others.map((factor) => wordsOf(factor, first.cell.settings));
    return [{ name: levels.join(', ') || 'all alike', curves }];
  });
}

function byConcurrency(one: CellResult, other: CellResult): number {
  return one.cell.settings.concurrency - other.cell.settings.concurrency;
}

function wordsOf(factor: keyof typeof factorTitles, settings: CellSettings): string {
  const level = printLevel(factor, settings[factor]);
  return factor === 'keepAlive' ? `connections ${level}` : level;
}

/** Whether any request or visit of the cell failed. */
function hasErrors({ errorShare, failures }: CellResult): boolean {
  return failures.length > 0 || (errorShare ?? 0) > 0;
}

/** From how many connections on a server had errors, in a sentence. */
export function whereErrorsBegin({ server, points }: Curve): string {
  const title = serverTitles[server];
  const first = points.find(hasErrors);
  const most = printNumber(points.at(-1)?.cell.settings.concurrency ?? 0, 0);
  if (first === undefined) return `${title}: no errors up to ${most} connections.`;
  const at = printLevel('concurrency', first.cell.settings.concurrency);
  const share = first.errorShare ?? 0;
  const [failure] = first.failures;
  if (share > 0) return `${title}: errors from ${at} on, ${printPercent(share)} of the requests there.`;
  return `${title}: errors from ${at} on. ${failure ?? ''}`.trim();
}

function printPercent(share: number): string {
  const percent = 100 * share;
  return percent < 0.01 ? 'less than 0.01 %' : `${printNumber(percent, percent < 1 ? 2 : 1)} %`;
}
