import { NativeSelect } from '@mantine/core';
import { lazy } from 'react';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { CellResult, ServersDocument } from '../../../shared/kinds/servers/servers-result.ts';
import { serverTitles } from '../../../shared/words/target-words.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Figure } from '../../components/figure.tsx';
import { Legend } from '../../components/legend.tsx';
import { Section } from '../../components/section.tsx';
import { useAddress } from '../../components/use-address.ts';
import { printInterval } from '../../format/interval.ts';
import { type Curve, curveSets, hasErrors, whereErrorsBegin } from './concurrency-curves.ts';
import { sideLooks } from './level-measures.ts';
import { printShare } from './print-cell.ts';
import classes from './servers.module.css';

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
          columns={[
            { label: 'Connections', cell: ({ cell }) => printNumber(cell.settings.concurrency, 0) },
            { label: 'HTTP', numeric: true, cell: (point) => printInterval(point.throughput?.http, 0) },
            { label: 'HTTPS', numeric: true, cell: (point) => printInterval(point.throughput?.https, 0) },
            {
              label: 'Errors',
              numeric: true,
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
        y={{ title: 'requests/s', fromZero: true, max: most, print: (value) => printNumber(value, 0) }}
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
