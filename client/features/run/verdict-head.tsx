import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { runEndpoints } from '../../../shared/api/session-endpoints.ts';
import { capitalized } from '../../../shared/base/cut.ts';
import { printChangeInterval, printWholePercent } from '../../../shared/base/quantity.ts';
import { bySide } from '../../../shared/base/transport.ts';
import { titleOfMetric } from '../../../shared/kinds/comparison/at-load.ts';
import { ciOf, type MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import {
  cpuFirst,
  type Metric,
  metricOf,
  metrics as registry,
} from '../../../shared/kinds/comparison/metric.ts';
import { disturbingShare, foreignShareOf, qualityOf } from '../../../shared/kinds/comparison/quality.ts';
import type { ShownRun } from '../../../shared/kinds/comparison/run.ts';
import { askedSidesOf } from '../../../shared/kinds/comparison/run-request.ts';
import { headlineInOneLine } from '../../../shared/measurement/measurement.ts';
import { growthOf } from '../../../shared/words/change-words.ts';
import {
  headlineOfRun,
  headlineRowOf,
  pooledRow,
  quantityOfRow,
  quantityOfVerdict,
} from '../../../shared/words/headline.ts';
import {
  hostCountInWords,
  negotiatedWords,
  programsInWords,
} from '../../../shared/words/negotiated-words.ts';
import { describePrecision, printPlain } from '../../../shared/words/precision-words.ts';
import {
  differencesInWords,
  differencesOfSides,
  targetsInSentence,
  titleOfDocument,
} from '../../../shared/words/side-words.ts';
import { meaningOf } from '../../../shared/words/terms.ts';
import { foundOf } from '../../../shared/words/verdict-evidence.ts';
import { mayCall } from '../../api/identity.ts';
import { runsTitledQuery } from '../../api/queries.ts';
import { PageHead } from '../../components/action-button.tsx';
import { LookBadge, Notice, OriginalWords } from '../../components/card.tsx';
import { DeltaSection } from '../../components/delta-section.tsx';
import { served } from '../../components/links.tsx';
import { SideMark } from '../../components/pills.tsx';
import { HeadlineLines, SettingLine, TitleOf } from '../../components/result-head.tsx';
import { Explained, Term } from '../../components/term.tsx';
import { type Look, lookOfOutcome, lookOfState } from '../../format/looks.ts';
import { printCount } from '../../format/printed-figures.ts';
import {
  type DeltaParts,
  deltaParts,
  freshReasons,
  type ShownDelta,
  type ShownUnit,
  shownDifference,
} from '../../format/shown-delta.ts';
import { sidesOf } from '../../format/sides.ts';
import { isMeasured } from './cache-section.tsx';
import { useViewState } from './conclusion.tsx';
import classes from './run.module.css';

type Props = { document: ShownRun; takeFocus: boolean };

/** The answer in one sentence; for a run that did not finish, what happened and what to try. */
export function VerdictHead({ document, takeFocus }: Props) {
  const { problem, state } = document;
  const headline = state === 'finished' ? headlineOfRun(document) : null;
  const row = headline === null ? undefined : headlineRowOf(document)?.row;
  const finished = headline !== null;
  const hasSeries = served && document.example !== true && mayCall(runEndpoints.showSeries);
  const of = finished ? quantityOfVerdict(document) : undefined;
  const title = headline?.title ?? problem?.title ?? lookOfState(state).word;
  const look = row === undefined ? lookOfState(state) : lookOfRow(row, document.plan.tolerance);
  return (
    <PageHead
      tab={finished ? headlineInOneLine(headline) : title}
      title={<TitleOf>{title}</TitleOf>}
      testId={finished ? 'verdict' : 'state'}
      of={of}
      takeFocus={takeFocus}
      above={
        <LookBadge look={look}>
          {row === undefined ? undefined : (
            <Term meaning={meaningOf(look.word, document.plan.tolerance)}>{look.word}</Term>
          )}
        </LookBadge>
      }
    >
      {finished ? (
        <HeadlineLines
          headline={headline}
          of={of}
          more={hasSeries ? <a href="#series">Show runs</a> : null}
        />
      ) : null}
      {finished ? <Found document={document} /> : null}
      <Differences document={document} />
      {finished ? <Doubt document={document} /> : null}
      {finished ? <Continued document={document} /> : null}
      {finished || problem === null ? null : (
        <Notice tone={state === 'failed' ? 'bad' : 'warn'} title={problem.detail}>
          <p>{problem.advice}</p>
          <OriginalWords>{problem.details}</OriginalWords>
          <p data-testid="blocks-count">{whatIsThere(document)}</p>
        </Notice>
      )}
      <Setting document={document} />
    </PageHead>
  );
}

/** Requested differences between the sides; renders nothing if their names show them. */
function Differences({ document }: { document: ShownRun }) {
  const request = askedSidesOf(document);
  const said = differencesInWords(request);
  if (said === null) return null;
  const differences = differencesOfSides(request);
  if (differences.length === 0)
    return (
      <p className={classes.nullRun} data-testid="differences">
        {said}
      </p>
    );
  const { baseline, comparison } = sidesOf(document.sides);
  return (
    <dl className={classes.differences} data-testid="differences">
      {differences.map(({ id, name, values }) => (
        <div key={id}>
          <dt>{name}</dt>
          <dd>
            <SideMark {...baseline} /> {values.baseline} → <SideMark {...comparison} /> {values.comparison}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Figures of this run alone. */
function Found({ document }: { document: ShownRun }) {
  const found = foundOf(document);
  const programs = programsInWords(document);
  if (found === null) return null;
  return (
    <p data-testid="evidence" data-q-of={quantityOfVerdict(document, 'run')}>
      <Explained tolerance={document.plan.tolerance}>{found}</Explained>
      {programs === null ? null : <span data-testid="programs">{`. ${capitalized(programs)}`}</span>}.
    </p>
  );
}

/** Why there is no answer, with the programs that disturbed the run; nothing where there is one. */
function Doubt({ document }: { document: ShownRun }) {
  const row = headlineRowOf(document)?.row;
  if (row?.outcome !== 'inconclusive' || row.reasons.length === 0) return null;
  const reasons = (
    <p data-testid="doubt" data-q-of={quantityOfVerdict(document)}>
      {row.reasons.join(' ')}
    </p>
  );
  const { loudest = [] } = document;
  const [most] = loudest;
  if (most === undefined || foreignShareOf(document) <= disturbingShare) return reasons;
  return (
    <Notice tone="warn">
      {reasons}
      <dl className={classes.loudest} aria-label="Other programs, by share of this machine’s CPU">
        {loudest.map(({ name, share }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-q={`machine/${name}`}>
              <i style={{ inlineSize: `${(8 * share) / most.share}rem` }} />
              {printWholePercent(share)}
            </dd>
          </div>
        ))}
      </dl>
    </Notice>
  );
}

/** The run that this one continues, and the one that continues it. */
function Continued({ document }: { document: ShownRun }) {
  const { continued, example } = document;
  const isUnclear = headlineRowOf(document)?.row.outcome === 'inconclusive' && served && example !== true;
  const mayList = isUnclear && mayCall(measurementEndpoints.listMeasurements);
  return (
    <>
      {continued === undefined ? null : (
        <p data-testid="continued">
          It continues <Link to={`/r/${continued.id}`}>an earlier run</Link>.
        </p>
      )}
      {mayList ? <ContinuedBy document={document} /> : null}
    </>
  );
}

/** Asks the server, which a result in a file does not have. */
function ContinuedBy({ document }: { document: ShownRun }) {
  const { data: runs = [] } = useQuery(runsTitledQuery(titleOfDocument(document)));
  const newer = runs.find((run) => run.kind === 'comparison' && run.continues === document.id);
  if (newer === undefined) return null;
  return (
    <p data-testid="continued-by">
      <Link to={`/r/${newer.id}`}>A later run continues this one</Link>
    </p>
  );
}

function Setting({ document }: { document: ShownRun }) {
  const { scenario, tls, hosts, createdAt } = document;
  const negotiated = negotiatedWords(bySide((side) => tls[side].negotiated));
  return (
    <SettingLine
      items={[
        `${scenario.name} on ${targetsInSentence(document)}`,
        ...(negotiated === null ? [] : [negotiated]),
        ...(hosts === undefined ? [] : [hostCountInWords(hosts)]),
      ]}
      createdAt={createdAt}
      quality={isMeasured(document) ? qualityOf(document) : null}
      clean="Little else ran on this machine."
    />
  );
}

function lookOfRow(row: MetricComparison, tolerance: number): Look {
  return lookOfOutcome(row.outcome, growthOf(row), metricOf(row.id).better, tolerance);
}

function whatIsThere(document: ShownRun): string {
  const ended = printCount(document.blocks.length, 'part');
  const kept = document.blocks.filter(({ reasons }) => reasons.length === 0).length;
  if (document.blocks.length === 0) return 'No part of the run had finished, so there are no results.';
  return isMeasured(document)
    ? `${ended} finished, and ${kept} ${kept === 1 ? 'counts' : 'count'}. The figures below come from these. There is no verdict.`
    : `${ended} finished, and too few of them count for a comparison.`;
}

export function MetricsSection({ document }: { document: ShownRun }) {
  const [{ unit }, change] = useViewState();
  const runs = headlineRowOf(document)?.runs ?? 1;
  return (
    <DeltaSection
      {...deltaView(document, unit)}
      id="metrics"
      label="Metrics"
      caption="Every metric on both sides, with its difference and outcome"
      of={runs > 1 ? `Pooled from ${printCount(runs, 'run')}` : 'This run'}
      ci={ciOf(document.metrics[0] ?? {})}
      sides={sidesOf(document.sides)}
      one={document.metrics.some(({ launches }) => launches.length > 1) ? 'start' : 'sample'}
      onUnit={(chosen) => change({ unit: chosen })}
    />
  );
}

type ShownTable = Pick<ShownRun, 'metrics' | 'pool' | 'plan'> &
  Partial<Pick<ShownRun, 'atLoad'>> & { scenario?: { steps: readonly unknown[] } };

/** Every metric of a run that has a row, pooled where runs were pooled; primary ones by their weight, the others in the registry's order. */
export function deltaView(
  { metrics, pool, plan: { tolerance }, atLoad, scenario = { steps: [] } }: ShownTable,
  unit: ShownUnit = 'percent',
): DeltaParts {
  const said = new Set<string>();
  const order = registry.map(({ id }) => id);
  const shown = metrics
    .filter(({ id }) => !restates(metrics, id))
    .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
    .map((measured) => ({
      metric: metricOf(measured.id),
      row: rowOf(measured, freshReasons(measured, said), {
        title: titleOfMetric(measured.id, { scenario, atLoad }),
        tolerance,
        unit,
        pool,
      }),
    }));
  const primary = shown.filter(({ metric }) => metric.primary);
  return deltaParts(
    primary.toSorted((one, other) => cpuFirst(one.metric, other.metric)).map(({ row }) => row),
    shown.filter(({ metric }) => !metric.primary).map(({ row }) => row),
    { tolerance, unit },
  );
}

/** Whether it says a metric that has a row of its own in another unit. */
function restates(metrics: ShownRun['metrics'], id: Metric['id']): boolean {
  const of = metricOf(id).restates;
  return of !== undefined && metrics.some((each) => each.id === of);
}

type RowOptions = { title: string; tolerance: number; unit: ShownUnit; pool: ShownRun['pool'] };

function rowOf(
  measured: MetricComparison,
  reasons: readonly string[],
  { title, tolerance, unit, pool }: RowOptions,
): ShownDelta {
  const metric = metricOf(measured.id);
  const pooled = pooledRow(measured, pool);
  const { launches, pairs } = measured;
  const isByStart = launches.length > 1;
  const ratios = isByStart
    ? launches.map((launch) => launch.ratio.center)
    : pairs.flatMap(({ value, aside }) => (aside === true ? [] : [value]));
  return {
    id: metric.id,
    quantity: quantityOfRow(metric.id, { pool }),
    anchor: `m-${metric.id}`,
    title,
    meaning: `${metric.definition} ${metric.better === 'lower' ? 'Less is better.' : 'More is better.'}`,
    notes: [...measured.reasons.filter((reason) => !reasons.includes(reason)), ...notesOf(measured, metric)],
    lines: reasons,
    look: lookOfRow(pooled, tolerance),
    ...shownDifference(pooled, {
      ...{ title, own: measured, ratios, unit, tolerance },
      one: isByStart ? 'start' : 'sample',
    }),
  };
}

function notesOf(measured: MetricComparison, metric: Metric): string[] {
  const { launches, twinRatio, ratioOfAll, outcome } = measured;
  return [
    ...(twinRatio === null || launches.length === 0 ? [] : [`Control: ${printChangeInterval(twinRatio)}.`]),
    ...(ratioOfAll === null || outcome === 'refused'
      ? []
      : [`With nothing discarded: ${printChangeInterval(ratioOfAll)}.`]),
    ...precisionNotes(measured),
    ...(metric.primary ? [] : ['Exploratory: not one of the metrics that decide the verdict.']),
  ];
}

/** `95 % CI from 5 starts and 12 earlier runs; from this run alone −1.0 to +12.0 %.` */
function precisionNotes(measured: MetricComparison): string[] {
  const [first, ...others] = describePrecision(measured);
  if (first === undefined) return [];
  const plain = printPlain(measured);
  const alone = plain === null || measured.precision?.prior == null ? '' : `; from this run alone ${plain}`;
  return [`${ciOf(measured)} from${first.slice('From'.length, -1)}${alone}.`, ...others];
}
