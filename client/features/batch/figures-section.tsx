import { printChange, printChangeInterval } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { BatchSite } from '../../../shared/measurement/batch.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import { LookBadge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Figure } from '../../components/figure.tsx';
import { Fold } from '../../components/fold.tsx';
import { type IntervalRow, IntervalRows } from '../../components/interval-rows.tsx';
import { Section } from '../../components/section.tsx';
import { Term } from '../../components/term.tsx';
import { type Side, sidesOf } from '../../format/side.ts';
import { printChangeTick } from '../../format/tick.ts';
import classes from './batch.module.css';
import { type FigureCell, type FigureRow, figureRows, intervalRows } from './site-figures.ts';

/** The figures of finished runs, a column for each site; nothing before, and for other kinds. */
export function FiguresSection({ sites }: { sites: readonly BatchSite[] }) {
  const main = figureRows(sites, true);
  if (main.length === 0) return null;
  const [first] = main;
  const intervals = first === undefined ? [] : intervalRows(sites, first.id);
  return (
    <>
      <Section
        id="metrics"
        title="Main figures"
        lead="Overheads with their 95 % CIs, and the values of both sides. Values also depend on the machine of each site."
      >
        <Card flush>
          <SiteTable caption="Main figures of each site" rows={main} sites={sites} />
        </Card>
        {first === undefined || intervals.length < 2 ? null : (
          <Card>
            <Intervals title={metricOf(first.id).title} rows={intervals} look={lookOf(sites)} />
          </Card>
        )}
      </Section>
      <Fold id="all-metrics" title="Every metric" printed>
        <Card flush>
          <SiteTable caption="Every metric of each site" rows={figureRows(sites, false)} sites={sites} />
        </Card>
      </Fold>
    </>
  );
}

type TableProps = { caption: string; rows: readonly FigureRow[]; sites: readonly BatchSite[] };

function SiteTable({ caption, rows, sites }: TableProps) {
  const columns: Column<FigureRow>[] = [
    {
      label: 'Metric',
      cell: ({ id }) => <Term meaning={metricOf(id).definition}>{metricOf(id).title}</Term>,
    },
    ...sites.map(
      (site): Column<FigureRow> => ({
        label: printLabels(site.labels),
        numeric: true,
        cell: ({ cells }) => <Cell cell={cells.get(site.id)} />,
      }),
    ),
  ];
  return <DataTable caption={caption} columns={columns} rows={rows} keyOf={({ id }) => id} />;
}

function Cell({ cell }: { cell: FigureCell | undefined }) {
  if (cell === undefined) return '–';
  const { shift, values, look } = cell;
  return (
    <div className={classes.cell}>
      {shift === null ? null : (
        <>
          <strong data-real={shift.center !== null}>{shift.center ?? shift.interval}</strong>
          <span>{shift.center === null ? '95 % CI' : shift.interval}</span>
        </>
      )}
      {values === null ? null : <span>{values}</span>}
      <LookBadge look={look} />
    </div>
  );
}

/** By what the first run that is there compares; the color of a side says what it spoke. */
function lookOf(sites: readonly BatchSite[]): Side | null {
  const run = sites.map(({ measurement }) => measurement).find((each) => each?.kind === 'comparison');
  return run?.kind === 'comparison' ? sidesOf(run.sides).comparison : null;
}

type IntervalsProps = { title: string; rows: readonly IntervalRow[]; look: Side | null };

function Intervals({ title, rows, look }: IntervalsProps) {
  if (look === null) return null;
  const caption = `Overhead in ${title.charAt(0).toLowerCase()}${title.slice(1)}: ${rows.map(inWords).join('; ')}.`;
  return (
    <Figure
      height={null}
      caption={caption}
      marks="Bars are 95 % CIs."
      table={
        <DataTable
          caption={`Overhead in ${title} at each site`}
          narrow="scroll"
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { label: 'Site', cell: ({ name }) => name },
            {
              label: 'Overhead',
              numeric: true,
              cell: ({ interval }) => printChange(1 + interval.center),
            },
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
        color={look.color}
        marker={look.marker}
        print={printChangeTick}
        ratios
      />
    </Figure>
  );
}

function inWords({ name, interval }: IntervalRow): string {
  return `${name}, ${printInterval(interval)}`;
}

function printInterval({ center, lo, hi }: Estimate): string {
  return printChangeInterval({ center: 1 + center, lo: 1 + lo, hi: 1 + hi });
}
