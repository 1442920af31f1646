import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams } from 'react-router';
import { lessOne, mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import { problem } from '../../../shared/base/problem.ts';
import { printChangeTick, type ShiftAxis, shiftAxis } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import { metricOf } from '../../../shared/kinds/comparison/metric.ts';
import { printLength } from '../../../shared/kinds/comparison/options.ts';
import {
  type ChangeOutcome,
  type ComparedMetric,
  type ComparedRun,
  changesPath,
  type FigureChange,
  type FigureChanges,
  type FigureName,
  type MetricChange,
  type ResultPair,
  type RunChanges,
  resultPairSchema,
  type SetupDifference,
} from '../../../shared/kinds/comparison/result-changes.ts';
import { type Shift, shiftOf } from '../../../shared/kinds/comparison/shift.ts';
import { headlineInOneLine } from '../../../shared/measurement/measurement.ts';
import { changeShiftOf, printFigureChange, wordOfChange } from '../../../shared/words/change-words.ts';
import { changesQuery } from '../../api/result-queries.ts';
import { CopyButton, PageHead, Waiting } from '../../components/action-button.tsx';
import { CardList, LookBadge, Section } from '../../components/card.tsx';
import { TableSection } from '../../components/data-table.tsx';
import type { IntervalRow } from '../../components/delta-section.tsx';
import { LinkButton } from '../../components/links.tsx';
import { HeadlineLines, Warnings } from '../../components/result-head.tsx';
import { PairStrip, ShiftScale } from '../../components/strips.tsx';
import { Term } from '../../components/term.tsx';
import type { Look } from '../../format/looks.ts';
import { printCount, printWhen } from '../../format/printed-figures.ts';
import { sidesOf } from '../../format/sides.ts';
import classes from './changes.module.css';
import { type Axis, BothResults, changeAxis, FiguresSection, msAxis } from './figures-section.tsx';

/** Compares the two results in its address. Throws a problem if they cannot be compared. */
export default function ChangesPage() {
  const { pair = '' } = useParams();
  const { data: ids } = resultPairSchema.safeParse(pair);
  if (ids === undefined) {
    throw problem('not_found', 'The address of a comparison ends with two IDs, separated by two dots.');
  }
  return <Changes key={pair} pair={ids} />;
}

function Changes({ pair }: { pair: ResultPair }) {
  const { data: changes } = useQuery({ ...changesQuery(pair), throwOnError: true });
  if (changes === undefined) return <Waiting>Comparing the results</Waiting>;
  if ('url' in changes) return <Navigate to={changes.url} replace />;
  return <ChangedResults changes={changes} />;
}

/** Changes from one result to another: the answer, the two results, differences in their set-up, then the evidence. */
export function ChangedResults({ changes }: { changes: RunChanges | FigureChanges }) {
  const { from, to, headline, cautions, setup } = changes;
  const run = changes.kind === 'comparison' ? changes : null;
  const row = run?.metrics.find(({ id }) => id === run.metric);
  const look = run === null || row === undefined ? null : lookOfChange(row, run.tolerance);
  return (
    <article>
      <PageHead
        tab={headlineInOneLine(headline)}
        title={headline.title}
        testId="change"
        above={look === null ? null : <LookBadge look={look} />}
      >
        <HeadlineLines headline={headline} />
      </PageHead>
      <CardList label="Compared results" ordered facts>
        <ComparedResult result={from} place="First" />
        <ComparedResult result={to} place="Second" />
      </CardList>
      <Ways from={from.id} to={to.id} />
      <Warnings warnings={cautions} tone={run === null ? 'note' : 'warn'} />
      <SetupSection differences={setup} />
      {changes.kind === 'comparison' ? (
        <>
          <ChangeTable changes={changes} />
          <FiguresSection changes={changes} />
        </>
      ) : (
        <>
          <FigureChart changes={changes} />
          <FigureTable changes={changes} />
        </>
      )}
    </article>
  );
}

type Compared = ComparedRun | FigureChanges['from'];

/** A run is called by its headline, other results by their title. */
function ComparedResult({ result, place }: { result: Compared; place: string }) {
  const { url, title, createdAt } = result;
  return (
    <li>
      <p className={classes.place}>
        {place}, <time dateTime={new Date(createdAt).toISOString()}>{printWhen(createdAt)}</time>
      </p>
      <Link to={url} dir="auto">
        {'headline' in result ? result.headline.title : title}
      </Link>
      {'headline' in result ? (
        <>
          <p>{result.headline.second}</p>
          <p>{title}</p>
          <p>{factsOf(result).join(' · ')}</p>
        </>
      ) : null}
    </li>
  );
}

function factsOf({ length, sides, launches }: ComparedRun): string[] {
  const { baseline, comparison } = sidesOf(sides);
  return [
    `${baseline.label} and ${comparison.label}`,
    printLength(length),
    ...(launches < 2 ? [] : [printCount(launches, 'start')]),
  ];
}

export function Ways({ from, to }: ResultPair) {
  const path = changesPath({ from, to });
  const file = `tls-toll-${from}-${to}`;
  return (
    <div className={classes.ways}>
      <LinkButton to={changesPath({ from: to, to: from })}>Swap</LinkButton>
      <CopyButton text={`${location.origin}${path}`}>Copy link</CopyButton>
      <a href={`${path}.json`} download={`${file}.json`}>
        JSON
      </a>
      <a href={`${path}.md`} download={`${file}.md`}>
        Markdown, the report
      </a>
    </div>
  );
}

export function SetupSection({ differences }: { differences: readonly SetupDifference[] }) {
  if (differences.length === 0) {
    return (
      <Section id="setup" title="Set-up">
        <p>Nothing differs in the set-up.</p>
      </Section>
    );
  }
  return (
    <TableSection
      id="setup"
      title="What differs in the set-up"
      lead="Any of these can cause a change."
      caption="What differs in the set-up"
      text
      rows={differences}
      keyOf={({ name }) => name}
      columns={[
        { label: 'Set-up', cell: ({ name }) => name },
        { label: 'First', cell: ({ from }) => from },
        { label: 'Second', cell: ({ to }) => to },
      ]}
      narrow="cards"
    />
  );
}

export function FigureTable({ changes: { figure, headline, rows } }: { changes: FigureChanges }) {
  const words = (row: FigureChange) => printFigureChange(row, figure);
  return (
    <TableSection
      id="figures"
      title="Every figure"
      lead={`${headline.second} The interval of a change includes the uncertainty of both runs.`}
      caption="Every figure in both results, with its change"
      first={30}
      what="row"
      narrow="scroll"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Figure', cell: ({ name }) => name },
        { label: 'First', cell: (row) => words(row).from },
        { label: 'Second', cell: (row) => words(row).to },
        { label: 'Change', cell: (row) => words(row).change },
        { label: '95 % CI', cell: (row) => words(row).interval },
        {
          label: 'Outcome',
          numeric: false,
          cell: (row) => <LookBadge look={lookOfWord(row.outcome, words(row).word)} />,
        },
      ]}
    />
  );
}

/** The metric of the verdict first, then the other primary ones, on one axis. */
export function ChangeTable({ changes: { metrics, metric, tolerance } }: { changes: RunChanges }) {
  const weightOf = ({ id }: MetricChange) => Number(id === metric) * 2 + Number(metricOf(id).primary);
  const rows = metrics.toSorted((a, b) => weightOf(b) - weightOf(a));
  const axis = axisOfChanges(rows, { metric, tolerance });
  return (
    <TableSection
      id="metrics"
      title="Every metric"
      lead="Differences with their 95 % CIs. The change compares the ratios between the sides, and its interval includes the uncertainty of both runs."
      caption="Every metric in both results, with its change"
      testId="change-table"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Metric', cell: ({ id }) => <MetricName id={id} /> },
        { label: 'First', cell: ({ from }) => <ShiftCell shift={overheadOf(from)} /> },
        { label: 'Second', cell: ({ to }) => <ShiftCell shift={overheadOf(to)} /> },
        { label: 'Change', cell: (row) => <ShiftCell shift={changeShiftOf(row)} /> },
        { label: 'Outcome', numeric: false, cell: (row) => <Outcome row={row} tolerance={tolerance} /> },
        {
          label: 'On one axis',
          numeric: false,
          head: <ShiftScale axis={axis} print={printChangeTick} />,
          cell: (row) => <BothOnAxis row={row} axis={axis} tolerance={tolerance} />,
        },
      ]}
      narrow="cards"
    />
  );
}

function axisOfChanges(
  rows: readonly MetricChange[],
  { metric, tolerance }: Pick<RunChanges, 'metric' | 'tolerance'>,
): ShiftAxis {
  const intervalsOf = (isVerdict: boolean) =>
    rows
      .filter(({ id }) => (id === metric) === isVerdict)
      .flatMap(({ from, to }) => [differenceIn(from), differenceIn(to)].filter((each) => each !== null));
  return shiftAxis(intervalsOf(true), intervalsOf(false), tolerance);
}

function differenceIn(row: ComparedMetric | null): Estimate | null {
  return row === null || row.outcome === 'refused' ? null : mapEstimate(row.ratio, lessOne);
}

type BothProps = { row: MetricChange; axis: ShiftAxis; tolerance: number };

function BothOnAxis({ row, axis, tolerance }: BothProps) {
  const [first, second] = [differenceIn(row.from), differenceIn(row.to)];
  if (first === null && second === null) return null;
  return (
    <PairStrip
      first={first}
      second={second}
      label={`${metricOf(row.id).title}: the first result above the second, with their intervals`}
      axis={axis}
      tone={lookOfChange(row, tolerance).tone}
    />
  );
}

function overheadOf(row: ComparedMetric | null): Shift | null {
  return row === null ? null : shiftOf(row);
}

function MetricName({ id }: Pick<MetricChange, 'id'>) {
  const { title, definition, primary } = metricOf(id);
  const note = primary ? '' : ' Exploratory: not among the metrics that are tested together.';
  return <Term meaning={`${definition}${note}`}>{title}</Term>;
}

function ShiftCell({ shift }: { shift: Shift | null }) {
  if (shift === null) return '–';
  return (
    <span className={classes.shift}>
      <strong data-real={shift.center !== null}>{shift.center ?? shift.interval}</strong>
      <span>{shift.center === null ? '95 % CI' : shift.interval}</span>
    </span>
  );
}

function Outcome({ row, tolerance }: { row: MetricChange; tolerance: number }) {
  return (
    <div className={classes.outcome}>
      <LookBadge look={lookOfChange(row, tolerance)} />
      {row.reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </div>
  );
}

/** An arrow says whether the cost rose. @param tolerance of the runs */
function lookOfChange(row: MetricChange, tolerance: number): Look {
  return lookOfWord(row.outcome, wordOfChange(row, tolerance));
}

function lookOfWord(outcome: ChangeOutcome, word: string): Look {
  if (outcome !== 'changed') return { word, ...looksOfChanges[outcome] };
  return { word, tone: 'note', icon: word === 'Costs more' ? 'up' : 'down' };
}

const looksOfChanges: Record<Exclude<ChangeOutcome, 'changed'>, Omit<Look, 'word'>> = {
  no_change: { tone: 'good', icon: 'equal' },
  inconclusive: { tone: 'warn', icon: 'question' },
  unknown: { tone: 'quiet', icon: 'barred' },
};

/** Interval rows of two results of the lab. */

const mostFigures = 8;

/** Figures with a known change, in their order. Certain changes are chosen first, then the largest. */
export function mostChanged(rows: readonly FigureChange[]): FigureChange[] {
  const known = rows.filter(({ outcome }) => outcome !== 'unknown');
  const chosen = new Set(known.toSorted((a, b) => weightOf(b) - weightOf(a)).slice(0, mostFigures));
  return known.filter((row) => chosen.has(row));
}

/** Below one for what is not certain. */
function weightOf({ ratio, delta, outcome }: FigureChange): number {
  const size = ratio === null ? Math.abs(delta?.center ?? 0) : Math.abs(Math.log(ratio.center));
  return outcome === 'changed' ? 1 + size : size / (1 + size);
}

/** Shortens names such as `TLSv1.3 / P-256 / full` to the parts in which they differ. */
export function withShortNames(rows: readonly FigureChange[]): FigureChange[] {
  const parts = rows.map(({ name }) => name.split(' / '));
  const differs = (index: number) => new Set(parts.map((each) => each[index])).size > 1;
  return rows.map((row, index) => {
    const name = (parts[index] ?? []).filter((_, place) => differs(place)).join(' / ');
    return name === '' ? row : { ...row, name };
  });
}

/** Two rows for each figure, one below the other; the first is pale. */
export function figureRows(figure: FigureName, rows: readonly FigureChange[]): IntervalRow[] {
  return rows.flatMap(({ name, from, to }) => {
    if (from === null || to === null) return [];
    const place = (estimate: Estimate) =>
      mapEstimate(estimate, (value) => placeOf(figure, value, from.center));
    return [
      { name: `${name}, first`, interval: place(from), hollow: null, pale: true },
      { name: `${name}, second`, interval: place(to), hollow: null },
    ];
  });
}

/** Position of a value on the axis, relative to the center of the first result. */
function placeOf(figure: FigureName, value: number, first: number): number {
  if (figure === 'ms') return value;
  return figure === 'overhead' ? value - 1 : value / first - 1;
}

function axisOf(figure: FigureName): Axis {
  if (figure === 'ms') return msAxis('Added time');
  return changeAxis(figure === 'overhead' ? 'Difference' : 'Change from the first');
}

const { comparison: look } = sidesOf({
  baseline: { transport: 'http' },
  comparison: { transport: 'https' },
});

/** Both results of the lab on one axis; of many figures, those that changed most. */
export function FigureChart({ changes: { figure, headline, rows } }: { changes: FigureChanges }) {
  const shown = mostChanged(rows);
  const known = rows.filter(({ outcome }) => outcome !== 'unknown').length;
  return (
    <Section
      id="charts"
      title="Side by side"
      lead={shown.length < known ? `The ${shown.length} figures that changed most.` : null}
      card
    >
      <BothResults
        axis={axisOf(figure)}
        look={look}
        rows={figureRows(figure, withShortNames(shown))}
        caption={`${headline.title}.`}
        marks="Bars are 95 % CIs."
      />
    </Section>
  );
}
