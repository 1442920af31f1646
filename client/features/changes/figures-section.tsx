import { NativeSelect } from '@mantine/core';
import { printOverhead, wordOfChange } from '../../../shared/change-words.ts';
import { type MetricId, metricOf } from '../../../shared/metric.ts';
import { printChange, printChangeInterval } from '../../../shared/quantity.ts';
import type { RunChanges } from '../../../shared/result-changes.ts';
import { sidesOfPair } from '../../../shared/transport.ts';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Figure } from '../../components/figure.tsx';
import { type IntervalRow, IntervalRows } from '../../components/interval-rows.tsx';
import { Legend } from '../../components/legend.tsx';
import { Section } from '../../components/section.tsx';
import { useAddress } from '../../components/use-address.ts';
import { sidesOf } from '../../format/side.ts';
import { printChangeTick } from '../../format/tick.ts';
import classes from './changes.module.css';
import { type Drawable, drawableOf, launchRows, primaryOf, rowsOfBoth } from './interval-view.ts';

/** Both results on one axis. */
export function FiguresSection({ changes }: { changes: RunChanges }) {
  const drawable = drawableOf(changes.metrics);
  const first = drawable[0];
  if (first === undefined) return null;
  const primary = primaryOf(drawable);
  return (
    <Section id="charts" title="Side by side">
      {primary.length === 0 ? null : (
        <Card>
          <Rows
            changes={changes}
            rows={rowsOfBoth(primary)}
            caption={`Overheads in both results. ${changesInWords(primary)}.`}
            marks="Bars are 95 % CIs."
          />
        </Card>
      )}
      <Card>
        <Launches changes={changes} drawable={drawable} usual={first.id} />
      </Card>
    </Section>
  );
}

function changesInWords(rows: readonly Drawable[]): string {
  return rows.map((row) => `${metricOf(row.id).title}: ${wordOfChange(row).toLowerCase()}`).join('; ');
}

type LaunchesProps = { changes: RunChanges; drawable: readonly Drawable[]; usual: MetricId };

function Launches({ changes, drawable, usual }: LaunchesProps) {
  const ids = drawable.map(({ id }) => id);
  const [metric, choose] = useAddress<MetricId>(
    'm',
    ids,
    ids.includes('cpu_per_transaction') ? 'cpu_per_transaction' : usual,
  );
  const row = drawable.find(({ id }) => id === metric);
  if (row === undefined) return null;
  return (
    <>
      <div className={classes.choice}>
        <NativeSelect
          label="Metric"
          value={metric}
          onChange={(event) => choose(event.currentTarget.value as MetricId)}
          data={ids.map((id) => ({ value: id, label: metricOf(id).title }))}
        />
      </div>
      <Rows
        changes={changes}
        rows={launchRows(row)}
        caption={`${metricOf(metric).title} launch by launch: ${printOverhead(row.from)} in the first result, ${printOverhead(row.to)} in the second.`}
        marks="Bars are 95 % CIs. The bar of a launch covers the variation within that launch. Hollow circles are the twin."
      />
    </>
  );
}

type RowsProps = { changes: RunChanges; rows: readonly IntervalRow[]; caption: string; marks: string };

function Rows({ changes, rows, caption, marks }: RowsProps) {
  const { color, marker, dashed } = sidesOf(sidesOfPair(changes.to.transports)).comparison;
  return (
    <Figure
      height={null}
      caption={caption}
      marks={marks}
      legend={
        <Legend
          items={[
            { label: 'First', color: `${color}80`, marker, dashed },
            { label: 'Second', color, marker, dashed },
          ]}
        />
      }
      table={
        <DataTable
          caption="Overheads of both results"
          narrow="scroll"
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { label: 'Result', cell: ({ name }) => name },
            { label: 'Overhead', numeric: true, cell: ({ interval }) => printChange(1 + interval.center) },
            { label: '95 % CI', numeric: true, cell: ({ interval }) => printInterval(interval) },
          ]}
        />
      }
    >
      <IntervalRows
        label={caption}
        rows={rows}
        level={0}
        band={null}
        color={color}
        marker={marker}
        print={printChangeTick}
        ratios
      />
    </Figure>
  );
}

/** A launch without a known interval has one of zero width. */
function printInterval({ center, lo, hi }: IntervalRow['interval']): string {
  return lo < hi ? printChangeInterval({ center: 1 + center, lo: 1 + lo, hi: 1 + hi }) : '–';
}
