import { Fragment } from 'react';
import { printNumber } from '../../../shared/base/quantity.ts';
import { labelsOf, printHttpVersion, sideNames } from '../../../shared/base/transport.ts';
import { titleOfMetric } from '../../../shared/kinds/comparison/at-load.ts';
import { type MetricId, metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { Phase, ShownRun } from '../../../shared/kinds/comparison/run.ts';
import {
  droppedTable,
  errorTable,
  fairnessTable,
  precisionTable,
} from '../../../shared/report/run-report.ts';
import type { PreflightReport } from '../../../shared/target/preflight.ts';
import type { MeasuredServer, ServerWitness } from '../../../shared/target/target.ts';
import { digestOf } from '../../../shared/words/digest.ts';
import { describeLoad, serversOf, serversOfSides } from '../../../shared/words/side-words.ts';
import { termsFor } from '../../../shared/words/terms.ts';
import { unaskedInWords } from '../../../shared/words/unasked-differences.ts';
import { Card, type Fact, Facts, Notice, Section } from '../../components/card.tsx';
import { served } from '../../components/links.tsx';
import { MethodSection } from '../../components/method-section.tsx';
import { CheckColumns } from '../../components/pills.tsx';
import { ReportTable } from '../../components/report-sections.tsx';
import { SourceFiles } from '../../components/result-head.tsx';
import { SeriesFold } from '../../components/series.tsx';
import { Fold } from '../../components/term.tsx';
import { printCount } from '../../format/printed-figures.ts';
import { printWitness } from '../../format/server-choice.ts';
import { sidesOf } from '../../format/sides.ts';
import { BillSection } from './bill-section.tsx';
import { CacheSection, hasCpuDelta, hasSteps, isMeasured } from './cache-section.tsx';
import { ChartsSection } from './charts-section.tsx';
import { useViewState } from './conclusion.tsx';
import { ExplainSection } from './explain-section.tsx';
import { countWindows, followBlocks, LiveBlocks, noFigures } from './live-blocks.tsx';
import { NextSteps } from './next-steps.tsx';
import { planFacts } from './plan-facts.tsx';
import classes from './run.module.css';
import { StepsSection } from './steps-section.tsx';
import { MetricsSection, VerdictHead } from './verdict-head.tsx';

type Words = { name: Phase; title: string; text: string };

const phases = {
  waiting: {
    name: 'waiting for generators',
    title: 'Generators',
    text: 'Wait up to a minute until enough hosts have joined.',
  } satisfies Words,
  beforeMeasuring: [
    { name: 'starting', title: 'Starting', text: 'Start the load generator and the target.' },
    { name: 'preflight', title: 'Checking', text: 'Check that both sides serve the same application.' },
    { name: 'warm-up', title: 'Warming up', text: 'Warm the target up until CPU per transaction settles.' },
    {
      name: 'finding the load',
      title: 'Finding full load',
      text: 'Find how many users keep the server busy.',
    },
  ] satisfies Words[],
  measuring: {
    name: 'measuring',
    title: 'Measuring',
    text: 'Load each side in short turns, and send one user’s requests to both sides in turn.',
  } satisfies Words,
  browser: {
    name: 'browser',
    title: 'Browser',
    text: 'The verdict is ready. Visit each side in a browser to see what it caches.',
  } satisfies Words,
  afterwards: {
    name: 'analyzing',
    title: 'Analyzing',
    text: 'Compute intervals and verdicts.',
  } satisfies Words,
};

export const comparisonView = {
  page: 'r' as const,
  subject({ scenario, sides }: ShownRun) {
    const { baseline, comparison } = sidesOf(sides);
    return `${baseline.label} and ${comparison.label} with “${scenario.name}”`;
  },
  method(document: ShownRun) {
    const { baseline, comparison } = sidesOf(document.sides);
    return `${baseline.label} and ${comparison.label} take turns in random order. The verdict appears when the last part ends.`;
  },
  phases({ plan }: ShownRun) {
    const { waiting, beforeMeasuring, measuring, browser, afterwards } = phases;
    const first = plan.generatorHosts === undefined ? [] : [waiting];
    return [...first, ...beforeMeasuring, measuring, afterwards, browser];
  },
  figures: noFigures,
  follow: followBlocks,
  Live: LiveBlocks,
  Finished: FinishedPage,
  digest: digestOf,
  csvRow: 'slot',
};

type Props = { document: ShownRun; takeFocus: boolean };

/** A run that is over, whole or in part: the verdict first, then everything it rests on. */
export function FinishedPage({ document, takeFocus }: Props) {
  const { verdict, errors, preflight, example } = document;
  const isOwn = served && example !== true;
  const measured = isMeasured(document);
  return (
    <>
      <VerdictHead document={document} takeFocus={takeFocus} />
      {served ? <NextSteps document={document} /> : null}
      <Warnings warnings={warningsOf(document)} />
      {measured || errors.length === 0 ? null : <ErrorsSection document={document} open />}
      {preflight === null || preflight.ok ? null : <PreflightSection report={preflight} />}
      {measured ? <MetricsSection document={document} /> : null}
      {measured ? (
        <div className={classes.secondPage}>
          <ChartsSection document={document} />
        </div>
      ) : null}
      {hasCpuDelta(document) && example !== true ? <ExplainSection document={document} /> : null}
      <div className={classes.folds}>
        {isOwn && verdict !== null ? <SeriesSection document={document} /> : null}
        {isOwn && measured ? <BillSection document={document} /> : null}
        {hasSteps(document) ? <StepsSection document={document} /> : null}
        {measured ? <PrecisionSection document={document} /> : null}
        {document.fairness === null ? null : <FairnessSection document={document} />}
        <CacheSection document={document} />
        {measured || errors.length === 0 ? (
          <ErrorsSection document={document} open={errors.length > 0} />
        ) : null}
        <ServerSection document={document} />
        <MethodSection
          plan={planFacts(document)}
          machine={document.environment}
          placement={document.placement}
        />
        <ReadingGuide plan={document.plan} />
      </div>
    </>
  );
}

/** Unrequested differences between the sides come first: the verdict may be due to them. */
function warningsOf(document: ShownRun): string[] {
  const unasked = unaskedInWords(document);
  return [...(unasked === null ? [] : [unasked]), ...document.warnings];
}

function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <div className={classes.warnings}>
      <Notice tone="warn">
        {warnings.map((warning) => (
          <p key={warning}>{warning}</p>
        ))}
      </Notice>
    </div>
  );
}

/** Why a run never began: the check that failed stands in its column. */
function PreflightSection({ report }: { report: PreflightReport }) {
  return (
    <Section id="preflight" title="Preflight check" lead={report.problem} card>
      <CheckColumns report={report} />
    </Section>
  );
}

function FairnessSection({ document }: { document: ShownRun }) {
  return (
    <Fold id="fairness" title="Fairness" lead={leadOfFairness(document)} printed>
      {document.atLoad === undefined ? null : <p>{describeLoad(document.atLoad, document).join(' ')}</p>}
      <Card flush>
        <ReportTable of={fairnessTable(document)} />
      </Card>
    </Fold>
  );
}

/** `HTTP/1.1 on both sides, bodies of the same size`; null where neither is known. */
function leadOfFairness({ fairness }: Pick<ShownRun, 'fairness'>): string | null {
  if (fairness === null) return null;
  const [version, other] = sideNames.map((side) => fairness[side].httpVersion);
  const [size, otherSize] = sideNames.map((side) => fairness[side].bodyBytesPerTransaction);
  const parts = [
    ...(version === undefined || version === 'unknown' || other !== version
      ? []
      : [`${printHttpVersion(version)} on both sides`]),
    ...(size == null || otherSize == null
      ? []
      : [size === otherSize ? 'bodies of the same size' : 'bodies of different sizes']),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

function PrecisionSection({ document }: { document: ShownRun }) {
  const table = precisionTable(document);
  if (table.rows.length === 0) return null;
  return (
    <Fold id="precision" title="Precision" lead={leadOfPrecision(document)}>
      <Card flush>
        <ReportTable of={table} />
      </Card>
    </Fold>
  );
}

/** `4 starts, 12 of 480 rounds discarded`. */
function leadOfPrecision({ launches, blocks }: Pick<ShownRun, 'launches' | 'blocks'>): string {
  const { measured, aside } = countWindows(blocks);
  const rounds = printCount(measured, 'round');
  return [
    ...(launches.length < 2 ? [] : [printCount(launches.length, 'start')]),
    aside === 0 ? rounds : `${printNumber(aside, 0)} of ${rounds} discarded`,
  ].join(', ');
}

function ReadingGuide({ plan }: Pick<ShownRun, 'plan'>) {
  return (
    <Fold id="how-to-read" title="How to read the numbers">
      <dl className={classes.guide}>
        {termsFor(plan.tolerance).map(({ term, meaning }) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd>{meaning}</dd>
          </Fragment>
        ))}
      </dl>
    </Fold>
  );
}

function ErrorsSection({ document, open = false }: { document: ShownRun; open?: boolean }) {
  const { errors, blocks } = document;
  const dropped = blocks.filter(({ reasons }) => reasons.length > 0);
  const failed = errors.reduce((sum, { count }) => sum + count, 0);
  return (
    <Fold id="errors" title="Errors" lead={leadOf(failed, blocks)} open={open}>
      {errors.length === 0 ? null : (
        <Card flush>
          <ReportTable of={errorTable(errors)} name="Errors by kind" />
        </Card>
      )}
      {dropped.length === 0 ? null : (
        <Card flush>
          <ReportTable of={droppedTable(document)} name="Parts discarded, wholly or for some metrics" />
        </Card>
      )}
    </Fold>
  );
}

function leadOf(failed: number, blocks: ShownRun['blocks']): string {
  if (blocks.length === 0) return 'Nothing was measured.';
  const requests = failed === 0 ? 'No request failed.' : `${printCount(failed, 'request')} failed.`;
  const spoiled = blocks.filter(({ reasons }) => reasons.length > 0);
  const out = spoiled.filter(({ reasons }) => reasons.some(({ spoils }) => spoils === 'all')).length;
  const inPart = spoiled.length - out;
  const all = printCount(blocks.length, 'part');
  if (spoiled.length === 0) return `${requests} All ${all} count.`;
  const counts = [
    ...(out === 0 ? [] : [`${out} of ${all} discarded`]),
    ...(inPart === 0 ? [] : [`${inPart} of ${all} discarded for some metrics`]),
  ];
  return `${requests} ${counts.join(', ')}.`;
}

/** The servers that were started for the run, with the configuration that was measured; nothing without any. */
function ServerSection({ document }: { document: ShownRun }) {
  const servers = serversOf(document);
  if (servers.length === 0) return null;
  const names = labelsOf(document.sides);
  const titles = { ...names, twin: 'Control' };
  const lead = [...new Set(servers.map(({ title, version }) => `${title} ${version}`))].join(', ');
  return (
    <Fold id="server" title={servers.length === 1 ? 'Server' : 'Servers'} lead={lead}>
      <Card>
        <Facts
          facts={[
            ...factsOfServers(document),
            {
              name: 'Configuration',
              value: served ? (
                <a href={`/api/v1/measurements/${document.id}/configuration`}>Download all files</a>
              ) : null,
            },
          ]}
        />
        <SourceFiles
          files={servers.flatMap(({ files }) =>
            files.map(({ arm, name, text }) => ({ name: `${titles[arm]}: ${name}`, text })),
          )}
        />
      </Card>
    </Fold>
  );
}

/** Facts about one server, or about the baseline's and then the comparison's. */
function factsOfServers(document: ShownRun): Fact[] {
  const { baseline, comparison } = serversOfSides(document);
  const labels = labelsOf(document.sides);
  if (baseline === null || comparison === null) return [];
  if (baseline !== comparison) {
    return [
      ...factsOf(baseline, `, ${labels.baseline}`),
      witnessFact(baseline.witness, `, ${labels.baseline}`),
      ...factsOf(comparison, `, ${labels.comparison}`),
      witnessFact(comparison.witness, `, ${labels.comparison}`),
    ];
  }
  const { baselineWitness } = comparison;
  const of = (label: string) => (baselineWitness === undefined ? '' : `, ${label}`);
  return [
    ...factsOf(comparison, ''),
    witnessFact(baselineWitness ?? null, of(labels.baseline)),
    witnessFact(comparison.witness, of(labels.comparison)),
  ];
}

function factsOf({ title, version, tlsLibrary, libraryFiles = [] }: MeasuredServer, of: string): Fact[] {
  return [
    { name: `Server${of}`, value: `${title} ${version}` },
    { name: `TLS library${of}`, value: tlsLibrary ?? 'not readable' },
    ...libraryFiles.map(({ name, sha256 }) => ({
      name: `SHA-256 of ${name}${of}`,
      value: <code>{sha256}</code>,
    })),
  ];
}

function witnessFact(witness: ServerWitness | null, of: string): Fact {
  return { name: `Check at both ends${of}`, value: witness && printWitness(witness) };
}

/** Runs of the same question. */
function SeriesSection({ document }: { document: ShownRun }) {
  const [view, change] = useViewState();
  const choices = document.metrics.flatMap(({ id, ratio, outcome }) =>
    ratio === null || outcome === 'refused' ? [] : [{ value: id, label: titleOfMetric(id, document) }],
  );
  const isChoice = choices.some(({ value }) => value === view.m);
  const metric = isChoice ? view.m : (document.verdict?.metric ?? view.m);
  return (
    <SeriesFold
      id={document.id}
      choices={choices}
      metric={metric}
      onMetric={(m) => change({ m: m as MetricId })}
      isTime={(id) => metricOf(id as MetricId).unit === 'us'}
      unit={view.unit}
      look={sidesOf(document.sides).comparison}
    />
  );
}
