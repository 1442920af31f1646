import {
  printChange,
  printChangeInterval,
  printDifference,
  printNumber,
  printQuantity,
  printShare,
  printSigned,
  scaleFor,
} from '../../../shared/base/quantity.ts';
import { bySide, labelsOf, sideNames } from '../../../shared/base/transport.ts';
import { describePlacement, titleOfMetric } from '../../../shared/kinds/comparison/at-load.ts';
import { ciOf, type MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import { describeLink, describePath } from '../../../shared/kinds/comparison/link.ts';
import { type MetricId, metricOf, quantityOf } from '../../../shared/kinds/comparison/metric.ts';
import { printLength } from '../../../shared/kinds/comparison/options.ts';
import { loudestInWords } from '../../../shared/kinds/comparison/quality.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { askedSidesOf } from '../../../shared/kinds/comparison/run-request.ts';
import { printDifferenceOf, scaleOf, shiftOf } from '../../../shared/kinds/comparison/shift.ts';
import { type Percentiles, type PhaseName, phaseNames } from '../../../shared/kinds/comparison/slot.ts';
import {
  figures,
  filledParts,
  leadOf,
  list,
  type Part,
  quantities,
  type Report,
  type Section,
  table,
  text,
  texts,
} from '../../../shared/report/report.ts';
import {
  droppedTable,
  errorTable,
  fairnessTable,
  precisionTable,
} from '../../../shared/report/run-report.ts';
import { describeReadings } from '../../../shared/target/readings.ts';
import { wordOfOutcome } from '../../../shared/words/change-words.ts';
import { headlineOfRun, headlineRowOf, pooledRow, quantityOfRow } from '../../../shared/words/headline.ts';
import {
  doubtsOfPrograms,
  hostsInWords,
  softwareInWords,
  tieInWords,
} from '../../../shared/words/negotiated-words.ts';
import {
  describeLoad,
  differencesInWords,
  printUsers,
  serversOfSides,
  targetsInSentence,
} from '../../../shared/words/side-words.ts';
import { unaskedInWords } from '../../../shared/words/unasked-differences.ts';
import { evidenceOf } from '../../../shared/words/verdict-evidence.ts';
import { repeatSection, whereSection } from '../../base/text/report.ts';
import { blocksInWords, standingOf } from './run-summary.ts';

/** A run: the verdict and what it rests on, the delta table with its reasons, and the details. */
export function reportComparison(document: RunDocument): Report {
  const {
    id,
    scenario,
    plan,
    createdAt,
    warnings,
    link,
    path,
    hosts,
    readings,
    sides,
    environment,
    command,
  } = document;
  const [baseline, comparison] = columnTitles(document);
  const headline = headlineOfRun(document);
  const below = [evidenceOf(document), differencesInWords(askedSidesOf(document))];
  const caution = unaskedInWords(document);
  return {
    title: headline?.title ?? standingOf(document),
    lead: [
      ...leadOf(headline),
      ...below.flatMap((line) => (line === null ? [] : text(`${line}.`))),
      ...(caution === null ? [] : [text(caution)]),
    ],
    about: [
      ...(link === undefined ? [] : [describeLink(link)]),
      ...(path === undefined ? [] : [describePath(path, sides)]),
      ...(hosts === undefined ? [] : [`The load came from ${hostsInWords(hosts)}.`]),
      ...(readings === undefined ? [] : [describeReadings(readings)]),
      `Run ${id} of ${new Date(createdAt).toISOString()}: scenario ${scenario.name} on ${targetsInSentence(document)}, ${baseline} against ${comparison}, ${printLength(plan.length)}; ${blocksInWords(document)}.`,
    ],
    notes: warnings,
    sections: [
      deltaSection(document),
      programSection(document),
      launchSection(document),
      precisionSection(document),
      phaseSection(document),
      fairnessSection(document),
      hostSection(document),
      cacheSection(document),
      errorSection(document),
      droppedSection(document),
      whereSection(environment, surroundings(document)),
      repeatSection(command),
    ],
  };
}

function deltaSection(document: RunDocument): Section {
  const rows = deltaRows(document);
  const runs = headlineRowOf(document)?.runs ?? 1;
  const [baseline, comparison] = columnTitles(document);
  const columns = [
    ...texts(runs === 1 ? 'Metric' : `Pooled from ${printNumber(runs, 0)} runs`),
    ...quantities([baseline, 'first'], [comparison, 'second'], ['Difference', 'difference']),
    ...quantities(['Change', 'change'], [ciOf(document.metrics[0] ?? {}), 'change']),
    ...texts('Outcome'),
    ...quantities(['Control', 'control']),
  ];
  const cells = rows.map(({ title, baseline, comparison, delta, shift, interval, outcome, twin }) => [
    title,
    ...[baseline, comparison, delta, shift, interval].map(orNone),
    outcome,
    orNone(twin),
  ]);
  const of = rows.map(({ id }) => quantityOfRow(id, document));
  return { heading: null, parts: [table(columns, cells, null, of), list(reasonsOf(rows))] };
}

function orNone(figure: string): string | null {
  return figure === '' ? null : figure;
}

/** Each reason once, after the metrics that it is given for. */
function reasonsOf(rows: readonly DeltaRow[]): string[] {
  const titles = new Map<string, string[]>();
  for (const { title, reasons } of rows) {
    for (const reason of reasons) titles.set(reason, [...(titles.get(reason) ?? []), title]);
  }
  return [...titles].map(([reason, of]) =>
    of.length === rows.length && of.length > 1 ? `Every metric: ${reason}` : `${of.join('; ')}: ${reason}`,
  );
}

function surroundings(document: RunDocument): string[] {
  const { environment, plan, placement } = document;
  const { users, connectionPolicy, ratePerS, seed } = plan;
  const load = document.atLoad?.users ?? users;
  const openLoad =
    ratePerS === null ? 'no half load' : `half load at ${printNumber(ratePerS, 1)} transactions/s`;
  return [
    ...serverLines(document),
    environment.sharedMachine
      ? 'Generator and target share this machine.'
      : 'Generator and target run on different machines.',
    describePlacement(placement),
    ...(document.loudest === undefined
      ? []
      : [`Other programs, by share of this machine’s CPU${loudestInWords(document.loudest)}`]),
    [
      ...(load === null ? [] : [printUsers(load)]),
      ...[`connections: ${connectionPolicy}`, openLoad, `seed ${seed}`],
    ].join(', '),
  ];
}

/** `Server: nginx 1.22.1, OpenSSL 3.0.19`; a line for each side where they differ. */
function serverLines(document: RunDocument): string[] {
  const servers = serversOfSides(document);
  const lines = bySide((side) => {
    const server = servers[side];
    if (server === null) return null;
    return softwareInWords(server);
  });
  const { baseline, comparison } = lines;
  if (baseline === null || comparison === null) return [];
  if (baseline === comparison) return [`Server: ${baseline}`];
  const labels = labelsOf(document.sides);
  return sideNames.map((side) => `Server of ${labels[side]}: ${lines[side]}`);
}

/** Estimates of each launch alone, for the primary metrics. */
function launchSection(document: RunDocument): Section {
  const { metrics, launches } = document;
  const rows = metrics.filter((row) => metricOf(row.id).primary && row.launches.length > 0);
  const columns = [
    ...texts('Start'),
    { title: 'Warm-up', holds: 'text' as const, part: 'warm-up' },
    ...quantities(...rows.map(({ id }) => [titleOfMetric(id, document), `${id}/change`] as const)),
  ];
  const cells = launches.map(({ index, warmUp }) => [
    number(index + 1),
    `${printNumber(warmUp.ms / 1000, 1)} s, ${number(warmUp.requests)} requests`,
    ...rows.map((row) => {
      const own = row.launches.find(({ launch }) => launch === index);
      if (own === undefined) return null;
      // A launch of which nothing is known but its value has an interval of no width.
      return own.ratio.lo < own.ratio.hi ? printChangeInterval(own.ratio) : printChange(own.ratio.center);
    }),
  ]);
  const of = launches.map(({ index }) => `comparison/start-${index + 1}`);
  return detail('Starts', table(columns, rows.length === 0 || launches.length < 2 ? [] : cells, null, of), [
    'The difference in each start. The 95 % CI covers the variation within it, if known.',
  ]);
}

/** CPU at load of each program that works for a request. */
function programSection(document: RunDocument): Section {
  const { cpuOf = [] } = document;
  const [first, second] = columnTitles(document);
  const columns = [
    ...texts('Program', 'Process IDs', 'Found by'),
    ...quantities([first, 'first'], [second, 'second']),
    ...quantities(['Difference', 'difference'], ['95 % CI', 'difference']),
  ];
  const rows = cpuOf.map(({ name, pids, baseline, comparison, delta, ...program }) => {
    const scale = scaleOf({ unit: 'us', baseline, comparison, delta, ratio: null, outcome: 'overhead' });
    const print = (us: number) => printQuantity(us, scale);
    return [
      ...[name, pids.join(', '), tieInWords(program), print(baseline.center), print(comparison.center)],
      printDifference(delta.center, scale),
      `${printSigned(delta.lo, scale)} to ${printDifference(delta.hi, scale)}`,
    ];
  });
  const notes = [...doubtsOfPrograms(document), 'Memory is that of the target alone.'];
  const of = cpuOf.map(({ name, pids }) => `${quantityOf('cpu_at_load')}/${name}-${pids.join('-')}`);
  return detail('Server CPU at full load by program', table(columns, rows, null, of), notes);
}

function precisionSection(document: RunDocument): Section {
  return detail('Precision', precisionTable(document));
}

/** Work of each host that generated, and whether it had more to give. */
function hostSection({ hosts }: RunDocument): Section {
  const columns = [
    ...texts('Generator'),
    ...figures('Processes', 'Requests'),
    ...quantities(['CPU', 'cpu'], ['Busiest process', 'busiest'], ['Late, median', 'late']),
    ...quantities(['Late, most', 'latest'], ['Round trip', 'round-trip']),
    ...texts('Limit'),
  ];
  const rows = (hosts?.hosts ?? []).map(
    ({ name, address, processes, requests, cpuUs, busiestShare, lateness, roundTripUs, limited }) => [
      `${name} (${address})`,
      ...[number(processes), number(requests), `${printNumber(cpuUs / 1e6, 1)} s`],
      printShare(busiestShare),
      ...[lateness.medianUs, lateness.longestUs, roundTripUs].map((us) => `${printNumber(us / 1000, 2)} ms`),
      limited ? 'yes: it had no more to give' : 'no',
    ],
  );
  const of = (hosts?.hosts ?? []).map(({ address }) => `comparison/hosts/${address}`);
  return detail('Generator hosts', table(columns, rows, null, of));
}

const phaseTitles: Record<PhaseName, string> = {
  connectUs: 'Connecting',
  tlsUs: 'TLS handshake',
  ttfbUs: 'Waiting for the first byte',
  downloadUs: 'Download',
};

/** Latency of a transaction by phase; what never happened is left out. */
function phaseSection(document: RunDocument): Section {
  const sides = document.phases;
  const names = phaseNames.filter((name) => sides?.baseline?.[name] || sides?.comparison?.[name]);
  const rows = names.map((name) => {
    const percentiles = [sides?.baseline?.[name], sides?.comparison?.[name]];
    const scale = scaleFor(
      'us',
      percentiles.flatMap((each) => (each ? [each.p50, each.p90] : [])),
    );
    const print = (each: Percentiles | null | undefined) =>
      each ? `${printQuantity(each.p50, scale)} / ${printQuantity(each.p90, scale)}` : null;
    return [phaseTitles[name], ...percentiles.map(print)];
  });
  const [first, second] = columnTitles(document);
  const columns = [...texts('Phase'), ...quantities([first, 'first'], [second, 'second'])];
  const of = names.map((name) => `comparison/Transaction/${phaseTitles[name]}, median`);
  return detail('Latency by phase', table(columns, rows, null, of), [
    'Of a transaction, median / 90th percentile.',
  ]);
}

function fairnessSection(document: RunDocument): Section {
  const { fairness, atLoad } = document;
  if (fairness === null) return { heading: null, parts: [] };
  const load = atLoad === undefined ? [] : describeLoad(atLoad, document);
  return detail('Fairness', fairnessTable(document), load);
}

function cacheSection({ cache: { findings } }: RunDocument): Section {
  return detail('Browser cache', list(findings));
}

function errorSection({ errors }: RunDocument): Section {
  return detail('Errors', errorTable(errors));
}

function droppedSection(document: RunDocument): Section {
  return detail('Parts discarded, wholly or for some metrics', droppedTable(document));
}

/** Nothing where its part is empty. */
function detail(heading: string, part: Part, before: string[] = []): Section {
  const isEmpty = filledParts([part]).length === 0;
  return { heading, isDetail: true, parts: isEmpty ? [] : [text(...before), part] };
}

function number(value: number | null): string | null {
  return value === null ? null : printNumber(value, 0);
}

/** The delta table as text, for Markdown and for the terminal: the digits and the rules of the screen. */
type DeltaRow = {
  id: MetricId;
  title: string;
  baseline: string;
  comparison: string;
  /** In the metric's unit; empty when refused. */
  delta: string;
  /** A change in percent; empty without a ratio, and when refused. */
  shift: string;
  interval: string;
  outcome: string;
  /** Interval of the twin against the baseline; empty without one. */
  twin: string;
  reasons: readonly string[];
};

function deltaRows({ metrics, pool, plan, scenario, atLoad }: RunDocument): DeltaRow[] {
  return metrics.map((measured) => {
    const row = pooledRow(measured, pool);
    const { id, baseline, comparison, reasons } = row;
    const scale = scaleOf(row);
    return {
      id,
      title: titleOfMetric(id, { scenario, atLoad }),
      baseline: baseline === null ? '' : printQuantity(baseline.center, scale),
      comparison: comparison === null ? '' : printQuantity(comparison.center, scale),
      ...printShift(row),
      outcome: wordOfOutcome(row, plan.tolerance),
      twin: row.twinRatio === null ? '' : printChangeInterval(row.twinRatio),
      reasons,
    };
  });
}

/** Names of the two columns. */
function columnTitles({ sides }: Pick<RunDocument, 'sides'>): [string, string] {
  const { baseline, comparison } = labelsOf(sides);
  return [baseline, comparison];
}

/** The best guess of a difference is printed, certain or not: its interval stands beside it. */
function printShift(row: MetricComparison): Pick<DeltaRow, 'delta' | 'shift' | 'interval'> {
  const printed = row.outcome === 'refused' ? null : printDifferenceOf(row);
  return {
    delta: printed?.signed ?? '',
    shift: printed?.change?.signed ?? '',
    interval: shiftOf(row)?.interval ?? '',
  };
}
