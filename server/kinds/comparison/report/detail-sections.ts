import {
  printChange,
  printChangeInterval,
  printDifference,
  printNumber,
  printQuantity,
  printShare,
  printSigned,
  scaleFor,
} from '../../../../shared/base/quantity.ts';
import { shiftOf } from '../../../../shared/base/shift.ts';
import { sideNames } from '../../../../shared/base/transport.ts';
import { ciOf } from '../../../../shared/kinds/comparison/comparison.ts';
import { metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { FairnessSide, RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { type Percentiles, type PhaseName, phaseNames } from '../../../../shared/kinds/comparison/slot.ts';
import { describeLoad } from '../../../../shared/words/at-load-words.ts';
import { dropAdvice, leftOutOf } from '../../../../shared/words/drop-advice.ts';
import { bodyWords, decodedWords } from '../../../../shared/words/negotiated-words.ts';
import { describePrecision, printPlain } from '../../../../shared/words/precision-words.ts';
import { doubtsOfPrograms, tieInWords } from '../../../../shared/words/program-words.ts';
import { tlsFacts } from '../../../../shared/words/tls-facts.ts';
import {
  figures,
  filledParts,
  list,
  type Part,
  type Section,
  table,
  text,
  texts,
} from '../../../base/text/report/report.ts';
import { columnTitles } from './delta-rows.ts';

/** Of the primary metrics, the estimate of each launch alone. */
export function launchSection({ metrics, launches }: RunDocument): Section {
  const rows = metrics.filter((row) => metricOf(row.id).primary && row.launches.length > 0);
  const columns = [...texts('Launch', 'Warm-up'), ...figures(...rows.map(({ id }) => metricOf(id).title))];
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
  return detail('Launches', table(columns, rows.length === 0 ? [] : cells), [
    'The change in each launch: a 95 % CI for what varied within it, where that is known.',
  ]);
}

/** CPU at load of each program that works for a request. */
export function programSection(document: RunDocument): Section {
  const { cpuOf = [] } = document;
  const columns = [
    ...texts('Program', 'Process IDs', 'Found by'),
    ...figures(...columnTitles(document), 'Difference', '95 % CI'),
  ];
  const rows = cpuOf.map(({ name, pids, baseline, comparison, delta, ...program }) => {
    const scale = scaleFor('us', [baseline.center, comparison.center]);
    const print = (us: number) => printQuantity(us, scale);
    return [
      ...[name, pids.join(', '), tieInWords(program), print(baseline.center), print(comparison.center)],
      printDifference(delta.center, scale),
      `${printSigned(delta.lo, scale)} to ${printDifference(delta.hi, scale)}`,
    ];
  });
  const notes = [...doubtsOfPrograms(document), 'Memory is that of the target alone.'];
  return detail('Server CPU at load by program', table(columns, rows), notes);
}

/** What each interval rests on, and the one that this run alone would give. */
export function precisionSection({ metrics }: RunDocument): Section {
  const rows = metrics.filter((row) => row.precision !== undefined && shiftOf(row) !== null);
  return detail(
    'Precision',
    table(
      [...texts('Metric'), ...figures(ciOf(metrics[0] ?? {}), 'This run alone'), ...texts('Rests on')],
      rows.map((row) => [
        metricOf(row.id).title,
        shiftOf(row)?.interval ?? null,
        printPlain(row),
        describePrecision(row).join(' '),
      ]),
    ),
  );
}

/** What each host that generated did, and whether it had more to give. */
export function hostSection({ hosts }: RunDocument): Section {
  const columns = [
    ...texts('Generator'),
    ...figures('Processes', 'Requests', 'CPU', 'Busiest process', 'Late, median', 'Late, most', 'Round trip'),
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
  return detail('Generator hosts', table(columns, rows));
}

const phaseTitles: Record<PhaseName, string> = {
  connectUs: 'Connecting',
  tlsUs: 'TLS handshake',
  ttfbUs: 'Waiting for the first byte',
  downloadUs: 'Download',
};

/** Latency of a transaction by phase; what never happened is left out. */
export function phaseSection(document: RunDocument): Section {
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
  return detail('Latency by phase', table([...texts('Phase'), ...figures(...columnTitles(document))], rows), [
    'Of a transaction, median / 90th percentile.',
  ]);
}

const points = 'lone user / at load / open load';

export function fairnessSection(document: RunDocument): Section {
  const { fairness, atLoad } = document;
  if (fairness === null) return { heading: null, parts: [] };
  const row = (title: string, read: (side: FairnessSide) => string | null) => [
    title,
    read(fairness.baseline),
    read(fairness.comparison),
  ];
  const decoded = sideNames.map((side) => decodedWords(fairness[side], document.scenario));
  const rows = [
    ...tlsFacts(document).map(({ name, baseline, comparison }) => [name, baseline, comparison]),
    row('HTTP version', (side) => side.httpVersion),
    row('Bodies per transaction', bodyWords),
    ...(decoded.every((each) => each === null) ? [] : [['Bodies decoded', ...decoded]]),
    row(`Generator CPU, ${points}`, (side) => percentages(side.generatorCpuPercent)),
    row(`Target CPU, ${points}`, (side) => percentages(side.targetCpuPercent)),
  ];
  return {
    heading: 'Fairness',
    isDetail: true,
    parts: [
      text(...(atLoad === undefined ? [] : describeLoad(atLoad, document))),
      table([...texts(''), ...figures(...columnTitles(document))], rows),
    ],
  };
}

export function cacheSection({ cache: { findings } }: RunDocument): Section {
  return detail('Browser cache', list(findings));
}

export function errorSection({ errors }: RunDocument): Section {
  return detail(
    'Errors',
    table(
      [...texts('Side', 'Step', 'What', 'Detail'), ...figures('Count')],
      errors.map(({ name, step, outcome, detail, count }) => [
        name,
        step ?? '',
        outcome.replaceAll('_', ' '),
        detail,
        number(count),
      ]),
    ),
  );
}

export function droppedSection({ blocks }: RunDocument): Section {
  const dropped = blocks.filter(({ reasons }) => reasons.length > 0);
  const lines = dropped.map(
    ({ index, kind, reasons }) =>
      `Block ${index} (${kind}), for ${leftOutOf(reasons)}: ${reasons.map(({ message }) => message).join(' ')}`,
  );
  const codes = new Set(dropped.flatMap(({ reasons }) => reasons.map(({ code }) => code)));
  return {
    heading: 'Blocks left out, all or in part',
    isDetail: true,
    parts: [
      list(lines),
      text(...(codes.size === 0 ? [] : ['What helps:'])),
      list([...codes].map((code) => dropAdvice[code])),
    ],
  };
}

/** Nothing where its part is empty. */
function detail(heading: string, part: Part, before: string[] = []): Section {
  const isEmpty = filledParts([part]).length === 0;
  return { heading, isDetail: true, parts: isEmpty ? [] : [text(...before), part] };
}

function number(value: number | null): string | null {
  return value === null ? null : printNumber(value, 0);
}

function percentages({ lockstep, maximum, steady }: FairnessSide['targetCpuPercent']): string {
  const print = (value: number | null) => (value === null ? '–' : `${printNumber(value, 1)} %`);
  return [lockstep, maximum, steady].map(print).join(' / ');
}
