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
import { metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { type Percentiles, type PhaseName, phaseNames } from '../../../../shared/kinds/comparison/slot.ts';
import {
  figures,
  filledParts,
  list,
  type Part,
  type Section,
  table,
  text,
  texts,
} from '../../../../shared/report/report.ts';
import {
  droppedTable,
  errorTable,
  fairnessTable,
  precisionTable,
} from '../../../../shared/report/run-report.ts';
import { describeLoad } from '../../../../shared/words/at-load-words.ts';
import { doubtsOfPrograms, tieInWords } from '../../../../shared/words/program-words.ts';
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

export function precisionSection(document: RunDocument): Section {
  return detail('Precision', precisionTable(document));
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

export function fairnessSection(document: RunDocument): Section {
  const { fairness, atLoad } = document;
  if (fairness === null) return { heading: null, parts: [] };
  const load = atLoad === undefined ? [] : describeLoad(atLoad, document);
  return detail('Fairness', fairnessTable(document), load);
}

export function cacheSection({ cache: { findings } }: RunDocument): Section {
  return detail('Browser cache', list(findings));
}

export function errorSection({ errors }: RunDocument): Section {
  return detail('Errors', errorTable(errors));
}

export function droppedSection(document: RunDocument): Section {
  return detail('Blocks left out, all or in part', droppedTable(document));
}

/** Nothing where its part is empty. */
function detail(heading: string, part: Part, before: string[] = []): Section {
  const isEmpty = filledParts([part]).length === 0;
  return { heading, isDetail: true, parts: isEmpty ? [] : [text(...before), part] };
}

function number(value: number | null): string | null {
  return value === null ? null : printNumber(value, 0);
}
