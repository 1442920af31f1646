import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useLocation, useParams } from 'react-router';
import { problem } from '../../../shared/base/problem.ts';
import { type ShiftAxis, shiftAxis } from '../../../shared/base/quantity.ts';
import { metricOf } from '../../../shared/kinds/comparison/metric.ts';
import { printLength } from '../../../shared/kinds/comparison/options.ts';
import {
  type ChangeOutcome,
  type ComparedMetric,
  type ComparedRun,
  changesPath,
  type FigureChange,
  type FigureChanges,
  type MetricChange,
  type ResultPair,
  type RunChanges,
  resultPairSchema,
  type SetupDifference,
} from '../../../shared/kinds/comparison/result-changes.ts';
import { headlineInOneLine } from '../../../shared/measurement/measurement.ts';
import { shownUnits } from '../../../shared/results/shown-measurement.ts';
import {
  type PrintedChange,
  printFigureChange,
  printMetricChange,
  wordOfChange,
} from '../../../shared/words/change-words.ts';
import { changesQuery } from '../../api/result-queries.ts';
import { CopyLink, PageHead, Waiting } from '../../components/action-button.tsx';
import { CardList, LookBadge } from '../../components/card.tsx';
import { TableSection } from '../../components/data-table.tsx';
import { UnitSwitch } from '../../components/delta-section.tsx';
import { LinkButton, useAddress } from '../../components/links.tsx';
import { HeadlineLines, Warnings } from '../../components/result-head.tsx';
import { PairStrip, ResultMark, ShiftScale } from '../../components/strips.tsx';
import { Term } from '../../components/term.tsx';
import { costsLess, costsMore, type Look } from '../../format/looks.ts';
import { printCount, printWhen } from '../../format/printed-figures.ts';
import { inShort, measureIn, printRatio, type ShownUnit, tickPrinter } from '../../format/shown-delta.ts';
import { sidesOf } from '../../format/sides.ts';
import classes from './changes.module.css';
import { BothQuestions, FigureChart, FiguresSection } from './figures-section.tsx';

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

/** Changes from one result to another: the answer, the two results, then the evidence, and what differs in their set-up. */
function ChangedResults({ changes }: { changes: RunChanges | FigureChanges }) {
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
        <Differing setup={setup} />
      </CardList>
      <Ways from={from.id} to={to.id} />
      <Warnings warnings={cautions} tone={run === null ? 'note' : 'warn'} />
      {changes.kind === 'comparison' ? (
        <RunFigures changes={changes} />
      ) : (
        <>
          <FigureChart changes={changes} />
          <FigureTable changes={changes} />
        </>
      )}
      <SetupSection differences={setup} />
    </article>
  );
}

/** In the unit that the address has. Two different questions are shown side by side, without a word on their change. */
function RunFigures({ changes }: { changes: RunChanges }) {
  const [unit, onUnit] = useAddress('unit', shownUnits, 'percent');
  if (changes.apart.length > 0) return <BothQuestions changes={changes} unit={unit} onUnit={onUnit} />;
  return (
    <>
      <UnitSwitch unit={unit} onUnit={onUnit} />
      <ChangeTable changes={changes} unit={unit} />
      <FiguresSection changes={changes} unit={unit} />
    </>
  );
}

/** In short; the table has the values. */
function Differing({ setup }: Pick<RunChanges, 'setup'>) {
  return (
    <li>
      <p className={classes.place}>Set-up</p>
      {setup.length === 0 ? (
        <p>Nothing differs in the set-up.</p>
      ) : (
        <p>
          <a href="#setup">Differs</a>: {setup.map(({ name }) => name).join(', ')}
        </p>
      )}
    </li>
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

function Ways({ from, to }: ResultPair) {
  const path = changesPath({ from, to });
  const { search } = useLocation();
  const file = `tls-toll-${from}-${to}`;
  return (
    <div className={classes.ways}>
      <LinkButton to={`${changesPath({ from: to, to: from })}${search}`}>Swap</LinkButton>
      <CopyLink link={`${location.origin}${path}${search}`} />
      <a href={`${path}.json`} download={`${file}.json`}>
        JSON
      </a>
      <a href={`${path}.md`} download={`${file}.md`}>
        Markdown, the report
      </a>
    </div>
  );
}

function SetupSection({ differences }: { differences: readonly SetupDifference[] }) {
  if (differences.length === 0) return null;
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

function FigureTable({ changes: { figure, headline, rows } }: { changes: FigureChanges }) {
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

type TableProps = { changes: RunChanges; unit: ShownUnit };

/** The metric of the verdict first, then the other primary ones, and last what is not known. */
function ChangeTable({ changes: { metrics, metric, tolerance }, unit }: TableProps) {
  const weightOf = ({ id, outcome }: MetricChange) =>
    Number(id === metric) * 2 + Number(metricOf(id).primary) - 4 * Number(outcome === 'unknown');
  const rows = metrics
    .filter(({ id }) => metrics.every((each) => each.id !== metricOf(id).restates))
    .toSorted((a, b) => weightOf(b) - weightOf(a))
    .map((row) => ({ ...row, printed: printMetricChange(row) }));
  const axis = axisOfChanges(rows, { metric, tolerance, unit });
  return (
    <TableSection
      id="metrics"
      title="Every metric"
      lead="Differences between the sides, and how they changed, with the uncertainty of both runs."
      caption="Every metric in both results, with its change"
      testId="change-table"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Metric', cell: ({ id }) => <MetricName id={id} /> },
        ...(['First', 'Second'] as const).map((label, place) => ({
          label,
          head: (
            <>
              <ResultMark isFirst={place === 0} /> {label}
            </>
          ),
          cell: ({ printed }: Printed) => {
            const half = printed.halves[place];
            return <TwoLines first={half?.amount} second={half?.change} />;
          },
        })),
        {
          label: 'Change',
          cell: ({ printed: { amount }, outcome }) => (
            <TwoLines first={amount?.signed} second={amount?.ends} isCertain={isCertain(outcome)} />
          ),
        },
        unit === 'ratio'
          ? {
              label: 'As a ratio',
              cell: ({ ratio, outcome }: Printed) =>
                ratio === null ? (
                  '–'
                ) : (
                  <TwoLines
                    first={printRatio(ratio, 'center')}
                    second={`${printRatio(ratio, 'lo')} to ${printRatio(ratio, 'hi')}`}
                    isCertain={isCertain(outcome)}
                  />
                ),
            }
          : {
              label: 'In points',
              cell: ({ printed: { points }, outcome }: Printed) => (
                <TwoLines
                  first={points?.signed.replace(' points', '')}
                  second={points?.ends}
                  isCertain={isCertain(outcome)}
                />
              ),
            },
        { label: 'Outcome', numeric: false, cell: (row) => <Outcome row={row} tolerance={tolerance} /> },
        {
          label: 'On one axis',
          numeric: false,
          head: <ShiftScale axis={axis} print={tickPrinter(unit, axis)} />,
          cell: (row) => <BothOnAxis row={row} axis={axis} tolerance={tolerance} unit={unit} />,
        },
      ]}
      narrow="cards"
    />
  );
}

type Printed = MetricChange & { printed: PrintedChange };

function isCertain(outcome: ChangeOutcome): boolean {
  return outcome === 'changed' || outcome === 'no_change';
}

type AxisOptions = Pick<RunChanges, 'metric' | 'tolerance'> & { unit: ShownUnit };

function axisOfChanges(rows: readonly MetricChange[], { metric, tolerance, unit }: AxisOptions): ShiftAxis {
  const measures = rows.flatMap(({ id, from, to }) =>
    [from, to].flatMap((row) => {
      const measure = row === null ? null : measureIn(unit, row);
      return measure === null ? [] : [{ isVerdict: id === metric, ...measure }];
    }),
  );
  const intervalsOf = (isVerdict: boolean) =>
    measures.filter((each) => each.isVerdict === isVerdict).map(({ interval }) => interval);
  const [first] = measures;
  return shiftAxis(intervalsOf(true), intervalsOf(false), first?.of(1 + tolerance) ?? tolerance);
}

type BothProps = { row: MetricChange; axis: ShiftAxis; tolerance: number; unit: ShownUnit };

function BothOnAxis({ row, axis, tolerance, unit }: BothProps) {
  const intervalIn = (half: ComparedMetric | null) =>
    half === null ? null : (measureIn(unit, half)?.interval ?? null);
  const [first, second] = [intervalIn(row.from), intervalIn(row.to)];
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

function MetricName({ id }: Pick<MetricChange, 'id'>) {
  const { title, definition, primary } = metricOf(id);
  const note = primary ? '' : ' Exploratory: not among the metrics that are tested together.';
  return <Term meaning={`${definition}${note}`}>{title}</Term>;
}

type LinesProps = { first: string | undefined; second: string | null | undefined; isCertain?: boolean };

/** A best guess is gray. */
function TwoLines({ first, second, isCertain }: LinesProps) {
  if (first === undefined) return '–';
  return (
    <span className={classes.shift}>
      <strong data-real={isCertain}>{inShort(first)}</strong>
      {second == null ? null : <span>{inShort(second)}</span>}
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
  return { word, ...(word === 'Costs more' ? costsMore : costsLess) };
}

const looksOfChanges: Record<Exclude<ChangeOutcome, 'changed'>, Omit<Look, 'word'>> = {
  no_change: { tone: 'good', icon: 'equal' },
  inconclusive: { tone: 'warn', icon: 'question' },
  unknown: { tone: 'quiet', icon: 'barred' },
};
