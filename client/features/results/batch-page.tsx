import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { lowered } from '../../../shared/base/cut.ts';
import { printChange, printChangeTick, printQuantity } from '../../../shared/base/quantity.ts';
import {
  cpuFirst,
  type MetricId,
  metricIds,
  metricOf,
  metrics,
} from '../../../shared/kinds/comparison/metric.ts';
import { type Shift, scaleOf, shiftOf } from '../../../shared/kinds/comparison/shift.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import type { Batch, BatchSite, SiteFigure } from '../../../shared/results/schedule.ts';
import { growthOf } from '../../../shared/words/change-words.ts';
import { mayCall } from '../../api/identity.ts';
import { runnersQuery } from '../../api/queries.ts';
import { batchQuery, isDone } from '../../api/result-queries.ts';
import { PageHead } from '../../components/action-button.tsx';
import { Badge, Card, CardList, LookBadge, Section } from '../../components/card.tsx';
import { type Column, DataTable, Figure } from '../../components/data-table.tsx';
import { type IntervalRow, IntervalRows } from '../../components/delta-section.tsx';
import { Permalinked } from '../../components/permalinked.tsx';
import { ProgressBar } from '../../components/progress.tsx';
import { Fold, Term } from '../../components/term.tsx';
import { describeMeasurement } from '../../format/lines.ts';
import { type Look, lookOfOutcome } from '../../format/looks.ts';
import { changeOf, printChanges, printCount, printWhen } from '../../format/printed-figures.ts';
import { progressText, queueText } from '../../format/progress-text.ts';
import { type Side, sidesOf } from '../../format/sides.ts';
import classes from './batch.module.css';

/** One request that several runners measure at once: a column for each site. */
export default function BatchPage() {
  return (
    <Permalinked query={batchQuery} code="batch_not_found" waiting="Opening the sites">
      {(batch) => <Sites batch={batch} />}
    </Permalinked>
  );
}

function Sites({ batch }: { batch: Batch }) {
  const { createdAt, sites } = batch;
  return (
    <article>
      <PageHead tab={tabOf(batch)} title={titleOf(batch)}>
        <p>
          {isDone(batch) ? null : 'You can close this page. The runs continue. '}
          Started <time dateTime={new Date(createdAt).toISOString()}>{printWhen(createdAt)}</time>
        </p>
      </PageHead>
      <SiteCards sites={sites} />
      <FiguresSection sites={sites} />
    </article>
  );
}

function titleOf({ title, sites }: Batch): string {
  return `${title ?? 'Deleted runs'} at ${printCount(sites.length, 'site')}`;
}

function tabOf(batch: Batch): string {
  const count = printCount(batch.sites.length, 'site');
  return isDone(batch) ? count : `Measuring at ${count}`;
}

/** How each site stands: its state, its runner, and what it found. */
export function SiteCards({ sites }: { sites: readonly BatchSite[] }) {
  return (
    <CardList label="Sites" facts>
      {sites.map((site) => (
        <li key={site.id}>
          <SiteCard {...site} />
        </li>
      ))}
    </CardList>
  );
}

function SiteCard({ id, labels, url, deleted, measurement, runner, progress }: BatchSite) {
  const name = printLabels(labels);
  if (measurement === null) {
    return (
      <>
        <Head name={name}>
          <Badge tone="quiet">Deleted</Badge>
        </Head>
        {deleted === 'binned' ? <Link to={url}>In the bin</Link> : <p>This run was deleted.</p>}
      </>
    );
  }
  const { state, problem, queuePosition, generatedTitle } = measurement;
  const { title, look } = describeMeasurement({ ...measurement, title: generatedTitle });
  const links = { queued: queueText(queuePosition), running: 'Live figures' };
  const isUnderWay = state === 'queued' || state === 'running';
  return (
    <>
      <Head name={name}>
        <Badge tone={look.tone} icon={look.icon}>
          {look.word}
        </Badge>
      </Head>
      {state === 'running' ? (
        <ProgressBar
          label={`Progress of ${name}`}
          text={progressText(progress)}
          fraction={progress?.fraction ?? 0}
        />
      ) : null}
      <Link to={url}>{isUnderWay ? links[state] : title}</Link>
      {state === 'queued' && mayCall({ access: 'reader' }) ? <Stranded id={id} name={name} /> : null}
      {problem === null ? null : <p>{problem.detail}</p>}
      {runner === null || state === 'queued' ? null : (
        <p>
          {isUnderWay ? 'On' : 'Measured by'} {runner}
        </p>
      )}
    </>
  );
}

function Head({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.head}>
      <h2>{name}</h2>
      {children}
    </div>
  );
}

function Stranded({ id, name }: { id: string; name: string }) {
  const { data } = useQuery(runnersQuery);
  if (data?.stranded.some((each) => each.id === id) !== true) return null;
  return <p>No runner with {name} is connected.</p>;
}

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
        lead="Differences with their 95 % CIs, and the values of both sides. Values also depend on the machine of each site."
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
  const caption = `Difference in ${lowered(title)}: ${rows.map(inWords).join('; ')}.`;
  return (
    <Figure
      height={null}
      caption={caption}
      marks="Bars are 95 % CIs."
      table={
        <DataTable
          caption={`Difference in ${title} at each site`}
          narrow="scroll"
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { label: 'Site', cell: ({ name }) => name },
            {
              label: 'Difference',
              numeric: true,
              cell: ({ interval }) => printChange(1 + interval.center),
            },
            { label: '95 % CI', numeric: true, cell: ({ interval }) => printChanges(interval) },
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
  return `${name}, ${printChanges(interval)}`;
}

/** The figures of several sites side by side. */

export type FigureRow = {
  id: MetricId;
  /** By the ID of the measurement; none where a site does not have the metric. */
  cells: ReadonlyMap<string, FigureCell>;
};

export type FigureCell = {
  /** Null when it was refused. */
  shift: Shift | null;
  /** Values of both sides, such as `588 µs and 712 µs`; null if one of them is not known. */
  values: string | null;
  look: Look;
};

/** One row for each metric that a site has, in the order of a run's table; with `primary`, only those that are tested, CPU first. */
export function figureRows(sites: readonly BatchSite[], primary: boolean): FigureRow[] {
  const ids = primary ? primaryIds : metricIds;
  return ids.flatMap((id) => {
    const cells = sites.flatMap(({ id: site, figures }) => {
      const figure = figures.find((each) => each.id === id);
      return figure === undefined ? [] : [[site, cellOf(figure)] as const];
    });
    return cells.length === 0 ? [] : [{ id, cells: new Map(cells) }];
  });
}

const primaryIds = metrics
  .filter(({ primary }) => primary)
  .toSorted(cpuFirst)
  .map(({ id }) => id);

function cellOf(figure: SiteFigure): FigureCell {
  const { id, baseline, comparison, outcome } = figure;
  const scale = scaleOf(figure);
  return {
    shift: shiftOf(figure),
    values:
      baseline === null || comparison === null
        ? null
        : `${printQuantity(baseline.center, scale)} and ${printQuantity(comparison.center, scale)}`,
    look: lookOfOutcome(outcome, growthOf(figure), metricOf(id).better),
  };
}

/** A row for each site that knows the change of a metric: 0.21 for +21 %. */
export function intervalRows(sites: readonly BatchSite[], id: MetricId): IntervalRow[] {
  return sites.flatMap(({ labels, figures }) => {
    const figure = figures.find((each) => each.id === id);
    if (figure === undefined || figure.ratio === null || figure.outcome === 'refused') return [];
    return [{ name: printLabels(labels), interval: changeOf(figure.ratio), hollow: null }];
  });
}
