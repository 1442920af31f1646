import { Link, useParams } from 'react-router';
import { mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import { printFactor, printNumber } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import {
  type AbCounts,
  type CellDocument,
  type CellResult,
  type CellSide,
  cellSides,
  type ServersMetric,
  type ServersVisit,
  type VisitArm,
} from '../../../shared/kinds/servers/servers-result.ts';
import { besideMalmgren, type ThenAndNowRow } from '../../../shared/studies/speed-then-and-now.ts';
import { studies } from '../../../shared/studies/study-plan.ts';
import { cellQuery } from '../../api/result-queries.ts';
import { CopyButton, PageHead } from '../../components/action-button.tsx';
import { Facts, Notice, Section } from '../../components/card.tsx';
import { DataTable, LongTable, ScrollRegion } from '../../components/data-table.tsx';
import { useAddress } from '../../components/links.tsx';
import { MeasuredServers } from '../../components/method-section.tsx';
import { Permalinked } from '../../components/permalinked.tsx';
import { ChoicePills } from '../../components/pills.tsx';
import { DistributionStrip } from '../../components/strips.tsx';
import { factorTitles, printLevel } from '../../format/factor-words.ts';
import { percentOf, printCount, printInterval, printRatio, printWhen } from '../../format/printed-figures.ts';
import { printShare } from './cell-measures.ts';
import classes from './servers.module.css';

/** One cell of a sweep: what was measured, round by round, and how ab would have printed it. */
export default function CellPage() {
  const { cell = '' } = useParams();
  return (
    <Permalinked query={(id) => cellQuery(id, cell)} code="run_not_found" waiting="Opening the combination">
      {(document) => <Cell document={document} />}
    </Permalinked>
  );
}

function Cell({ document }: { document: CellDocument }) {
  const { id, result, rounds, server, createdAt } = document;
  const { settings } = result.cell;
  const negotiated = document.visits.find(({ arms }) => arms?.comparison.ab != null)?.arms?.comparison.ab
    ?.negotiated;
  return (
    <article>
      <PageHead tab={result.cell.id} title={cellHeadline(result)} testId="headline">
        <p>
          Combination <code>{result.cell.id}</code> of <Link to={`/r/${id}`}>the sweep</Link>, {result.visits}{' '}
          of {printCount(rounds, 'round')},{' '}
          <time dateTime={new Date(createdAt).toISOString()}>{printWhen(createdAt)}</time>
        </p>
      </PageHead>
      {result.failures.map((failure) => (
        <Notice key={failure} tone="warn" title="A round failed">
          <p>{failure}</p>
        </Notice>
      ))}
      <Section id="settings" title="Settings" card>
        <Facts
          facts={[
            ...(Object.keys(factorTitles) as (keyof typeof factorTitles)[]).map((factor) => ({
              name: factorTitles[factor],
              value: printLevel(factor, settings[factor]),
            })),
            ...(negotiated == null
              ? []
              : [
                  {
                    name: 'Negotiated',
                    value: [negotiated.protocol, negotiated.cipher, negotiated.group, negotiated.key]
                      .filter((each) => each !== null)
                      .join(', '),
                  },
                ]),
          ]}
        />
      </Section>
      <FigureTable result={result} />
      <RoundSection document={document} />
      <AbSection document={document} />
      <MeasuredServers servers={server === null ? [] : [server]} />
    </article>
  );
}

/** Effect of HTTPS on the rate of a cell, within its interval. */
export function cellHeadline({ throughput, failures }: Pick<CellResult, 'throughput' | 'failures'>): string {
  if (throughput === null) return failures[0] ?? 'This combination was not measured';
  const { center, lo, hi } = throughput.ratio;
  const percent = (ratio: number) => printNumber(100 * Math.abs(ratio - 1), 1);
  if (hi < 1) {
    return `HTTPS answers ${percent(center)} % fewer requests per second (95 % CI ${percent(hi)} to ${percent(lo)} %)`;
  }
  if (lo > 1) {
    return `HTTPS answers ${percent(center)} % more requests per second (95 % CI ${percent(lo)} to ${percent(hi)} %)`;
  }
  return `HTTPS answers between ${percent(lo)} % fewer and ${percent(hi)} % more requests per second`;
}

/** Figures over all rounds. */
export function FigureTable({ result }: { result: CellResult }) {
  return (
    <Section
      id="figures"
      title="Figures"
      lead={`With 95 % CI over the rounds. Errors: ${printShare(result.errorShare)} of requests.`}
      card
    >
      <DataTable
        caption="Figures of the combination"
        rows={cellMetrics}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Metric', cell: ({ title, unit }) => title + unit },
          ...(['http', 'https'] as const).map((side) => ({
            label: side.toUpperCase(),
            numeric: true,
            cell: ({ id, decimals }: (typeof cellMetrics)[number]) =>
              printInterval(result[id]?.[side], decimals),
          })),
          { label: 'Change', numeric: true, cell: ({ id }) => printRatio(result[id]?.ratio) },
          {
            label: 'Control against HTTP',
            numeric: true,
            cell: ({ id }) => printRatio(result[id]?.twinRatio),
          },
        ]}
      />
    </Section>
  );
}

/** Each side as ab would have printed it, and the study of 2011 beside HTTPS. */
export function AbSection({ document: { id, result, reports, visits } }: { document: CellDocument }) {
  const sides = cellSides.filter((side) => reports[side] !== null);
  const [side, choose] = useAddress<CellSide>('side', sides, 'https');
  const report = reports[side];
  if (report === null) return null;
  const path = `/r/${id}/cells/${result.cell.id}/${side}.ab.txt`;
  return (
    <Section
      id="ab"
      title="ab report"
      lead={`Round ${printNumber(report.round + 1, 0)}, which has the median rate. Add ?round= to the download address for another.`}
      card
    >
      <div className="stack wide">
        <ChoicePills
          legend="Side"
          name="side"
          value={side}
          choices={sides.map((value) => ({ value, label: value.toUpperCase() }))}
          onChange={choose}
        />
        <ScrollRegion label="Report" narrow="scroll">
          <pre className={classes.report} data-testid="ab-report">
            {report.text}
          </pre>
        </ScrollRegion>
        <div className={classes.links}>
          <CopyButton text={report.text}>Copy report</CopyButton>
          <a href={path} download={`tls-toll-${id}-${result.cell.id}-${side}.ab.txt`}>
            Download {side}.ab.txt
          </a>
        </div>
        <StudyTable
          result={result}
          ab={visits.find(({ round }) => round === reports.https?.round)?.arms?.comparison.ab}
        />
      </div>
    </Section>
  );
}

/** The report of 2011 beside HTTPS today; nothing where the cell asked for something else. */
function StudyTable({ result, ab }: { result: CellResult; ab: AbCounts | null | undefined }) {
  const beside =
    ab == null ? null : besideMalmgren(result.cell.settings, ab, result.throughput?.https ?? null);
  if (beside === null) return null;
  return (
    <div className="stack wide">
      <h3>In 2011 and today</h3>
      <p>
        {beside.sentences.join(' ')} The study’s machine: {studies['malmgren-2011'].machine}.
      </p>
      <DataTable
        caption="HTTPS in 2011 and today"
        rows={beside.rows}
        keyOf={({ name }) => name}
        columns={[
          { label: 'Figure', cell: ({ name, unit }) => (unit === '' ? name : `${name}, ${unit}`) },
          { label: '2011', numeric: true, cell: ({ earlier }) => print(earlier) },
          { label: 'Today', numeric: true, cell: printToday },
          { label: 'Factor', numeric: true, cell: printTimes },
        ]}
      />
    </div>
  );
}

function printToday({ today, interval }: ThenAndNowRow): string {
  return interval === null
    ? print(today)
    : `${print(today)} (${print(interval.lo)} to ${print(interval.hi)})`;
}

function printTimes({ factor, interval, earlier }: ThenAndNowRow): string {
  if (interval === null) return `${printSmall(factor)}×`;
  return `${printSmall(factor)}× (${printSmall(interval.lo / earlier)} to ${printSmall(interval.hi / earlier)})`;
}

/** Times fell by hundreds since then. */
function printSmall(factor: number): string {
  return factor < 0.1 ? printNumber(factor, factor < 0.01 ? 4 : 3) : printFactor(factor);
}

function print(value: number): string {
  return printNumber(value, value < 10 ? 2 : value < 1000 ? 1 : 0);
}

const arms = [
  ['baseline', 'HTTP'],
  ['comparison', 'HTTPS'],
  ['twin', 'Control'],
] as const;

/** Figures of each round: HTTPS against HTTP as dots, the twin hollow. */
export function RoundSection({ document: { visits, result } }: { document: CellDocument }) {
  const strips = cellMetrics.flatMap((metric) => {
    const changes = changesOf(visits, result, metric.id);
    return changes === null ? [] : [{ ...metric, changes }];
  });
  return (
    <Section
      id="rounds"
      title="Round by round"
      lead="Each dot is one round, HTTPS against HTTP. Hollow dots are the control. Each round starts new servers."
      card
    >
      <div className="stack wide">
        {strips.length === 0 ? null : (
          <DataTable
            caption="Changes by round"
            rows={strips}
            keyOf={({ id }) => id}
            columns={[
              { label: 'Metric', cell: ({ title }) => title },
              {
                label: 'HTTPS against HTTP',
                numeric: false,
                cell: ({ title, changes }) => <RoundStrip title={title} changes={changes} />,
              },
            ]}
          />
        )}
        <LongTable
          first={12}
          what="round"
          caption="Rounds"
          narrow="scroll"
          rows={visits}
          keyOf={({ round }) => round}
          columns={[
            { label: 'Round', cell: ({ round }) => round + 1 },
            ...arms.map(([arm, name]) => ({
              label: `${name}, requests/s`,
              numeric: true,
              cell: (visit: ServersVisit) => printOf(visit, arm, 'perS', 0),
            })),
            ...arms.map(([arm, name]) => ({
              label: `${name}, CPU µs`,
              numeric: true,
              cell: (visit: ServersVisit) => printOf(visit, arm, 'cpuUs', 1),
            })),
            {
              label: 'Errors',
              numeric: true,
              cell: ({ arms: measured, failure }) =>
                measured === null
                  ? (failure ?? '–')
                  : printNumber(
                      Object.values(measured).reduce((sum, { errors }) => sum + errors, 0),
                      0,
                    ),
            },
            {
              label: 'Stolen',
              numeric: true,
              cell: ({ machine }) =>
                machine === null ? '–' : `${printNumber(100 * machine.stealRatio, 1)} %`,
            },
          ]}
        />
      </div>
    </Section>
  );
}

function RoundStrip({ title, changes }: { title: string; changes: RoundChanges }) {
  const { rounds, twins, interval } = changes;
  const print = (percent: number) => `${printNumber(percent, 1)} %`;
  return (
    <DistributionStrip
      marks={rounds}
      nulls={twins}
      interval={interval}
      label={`${title}: HTTPS against HTTP in ${rounds.length} rounds, ${print(Math.min(...rounds))} to ${print(Math.max(...rounds))}`}
      print={print}
    />
  );
}

function printOf(
  { arms: measured }: ServersVisit,
  arm: (typeof arms)[number][0],
  field: 'perS' | 'cpuUs',
  decimals: number,
): string {
  const value = measured?.[arm]?.[field] ?? null;
  return value === null ? '–' : printNumber(value, decimals);
}

export const cellMetrics = [
  { id: 'throughput', title: 'Requests per second', unit: '', decimals: 0 },
  { id: 'cpu', title: 'Server CPU per request at full load', unit: ', µs', decimals: 1 },
  { id: 'latency', title: 'Median latency', unit: ', µs', decimals: 0 },
] as const;

/** In percent of HTTP. */
export type RoundChanges = {
  rounds: number[];
  twins: number[];
  interval: Estimate;
};

/** HTTPS against the geometric mean of HTTP and its twin, as the interval has it, and the twin against HTTP; null without an interval. */
export function changesOf(
  visits: readonly ServersVisit[],
  result: CellResult,
  metric: ServersMetric,
): RoundChanges | null {
  const figures = result[metric];
  if (figures === null) return null;
  const read = visits.flatMap(({ arms }) => {
    if (arms === null) return [];
    const [http, https, twin] = [arms.baseline, arms.comparison, arms.twin].map((arm) =>
      readArm(metric, arm),
    );
    return http && https && twin ? [{ http, https, twin }] : [];
  });
  return {
    rounds: read.map(({ http, https, twin }) => percentOf(https / Math.sqrt(http * twin))),
    twins: read.map(({ http, twin }) => percentOf(twin / http)),
    interval: mapEstimate(figures.ratio, percentOf),
  };
}

function readArm(metric: ServersMetric, arm: VisitArm): number | null {
  return { throughput: arm.perS, cpu: arm.cpuUs, latency: arm.medianUs }[metric];
}
