import { namesOf } from '../../../shared/base/arms.ts';
import { flagsOf, nestValues, valueIn } from '../../../shared/base/option.ts';
import { printChange, printChangeInterval, printNumber } from '../../../shared/base/quantity.ts';
import { twoSidesAndTwin } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import { describePlacement } from '../../../shared/kinds/comparison/at-load.ts';
import { levelOptions, serversOptions } from '../../../shared/kinds/servers/options.ts';
import { serversHeadline } from '../../../shared/kinds/servers/servers.ts';
import {
  type CellFigures,
  type CellResult,
  cellSettingsSchema,
  factorNames,
  type ServersDocument,
  type ServersRequest,
  type ServersVisit,
  serversMetrics,
} from '../../../shared/kinds/servers/servers-result.ts';
import {
  figures,
  leadOf,
  list,
  type Report,
  type ReportCell,
  table,
  texts,
} from '../../../shared/report/report.ts';
import { malmgrenToday, sentenceOf } from '../../../shared/studies/read-sizes.ts';
import { softwareInWords } from '../../../shared/words/negotiated-words.ts';
import { reportOf } from '../../base/text/report.ts';
import { type Cell, type Column, snakeCase, type Table, tableOf } from '../../base/text/terminal.ts';

/** A sweep over servers: what matters most, the study of 2011 beside it, then every cell. */
export function reportServers(document: ServersDocument): Report {
  const { ranking, servers, cells, placement } = document;
  const headline = serversHeadline(document);
  return reportOf(document, {
    title: headline?.title ?? 'What HTTPS costs on real servers',
    lead: [...leadOf(headline), list(ranking)],
    sections: [
      { heading: 'Malmgren 2011, today', parts: [list(malmgrenToday(document).map(sentenceOf))] },
      { heading: 'Cells', parts: [table(columns, cells.map(cellsOf))] },
      { heading: 'Servers', isDetail: true, parts: [list(servers.map(softwareInWords))] },
    ],
    where: [describePlacement(placement)],
  });
}

const columns = [
  ...texts('Cell'),
  ...figures('HTTP requests/s', 'HTTPS requests/s', 'Change'),
  ...figures('HTTP CPU at load, µs', 'HTTPS CPU at load, µs', 'Change'),
];

function cellsOf({ cell, throughput, cpu, failures, generatorLimited }: CellResult): ReportCell[] {
  // The load generator set the pace.
  const min = generatorLimited ? '≥ ' : '';
  if (throughput === null) return [cell.id, failures[0] ?? 'not measured', '', '', '', '', ''];
  return [
    cell.id,
    `${min}${printNumber(throughput.http.center, 0)}`,
    `${min}${printNumber(throughput.https.center, 0)}`,
    change(throughput.ratio),
    cpu === null ? null : printNumber(cpu.http.center, 1),
    cpu === null ? null : printNumber(cpu.https.center, 1),
    cpu === null ? null : change(cpu.ratio),
  ];
}

function change(ratio: Estimate): string {
  return `${printChange(ratio.center)} (${printChangeInterval(ratio)})`;
}

/** The command that repeats a sweep: the same cells in the same order. Listed cells and a custom base need a plan file. */
export function serversCommand(request: ServersRequest, seed: number): string {
  const { plan } = request;
  const others = serversOptions.filter((placed) => !levelOptions.includes(placed));
  const more = flagsOf(others, { ...request, seed });
  const usual = cellSettingsSchema.parse({});
  if (
    plan.shape === 'cells' ||
    (plan.shape === 'each' && !factorNames.every((factor) => plan.base[factor] === usual[factor]))
  ) {
    return ['npx tls-toll servers --plan plan.json', ...more].join(' ');
  }
  const levels = levelOptions.map((placed) => {
    const base = plan.base[placed.name as keyof typeof usual];
    return [placed, valueIn(request, placed) ?? [base]] as const;
  });
  // Without any, it would be the preset.
  const flags = flagsOf(levelOptions, nestValues(levels));
  return [
    'npx tls-toll servers',
    ...(plan.shape === 'each' ? ['--one-at-a-time'] : []),
    ...(flags.length > 0 ? flags : [`--servers ${usual.server}`]),
    ...more,
  ].join(' ');
}

/** One row a cell: its levels, and each figure with its 95 % interval. */
export function resultRows(document: ServersDocument): Table {
  return tableOf(
    rowsColumns,
    document.cells.map((result) => ({ ...result, id: document.id })),
  );
}

type Row = CellResult & { id: string };

const units = { throughput: 'per_s', cpu: 'us', latency: 'us' };
const rowsFigures = ['http', 'https', 'ratio', 'twinRatio'] as const satisfies (keyof CellFigures)[];
const ends = ['center', 'lo', 'hi'] as const satisfies (keyof Estimate)[];

const rowsColumns: Column<Row>[] = [
  { name: 'measurement_id', read: ({ id }) => id },
  { name: 'cell', read: ({ cell }) => cell.id },
  ...factorNames.map((factor) => ({
    name: snakeCase(factor),
    read: ({ cell }: Row) => cell.settings[factor],
  })),
  { name: 'visits', read: ({ visits }) => visits },
  { name: 'error_share', read: ({ errorShare }) => errorShare },
  { name: 'failures', read: ({ failures }) => failures.join(' ') },
  ...serversMetrics.flatMap((metric) =>
    rowsFigures.flatMap((figure) =>
      ends.map((end) => ({
        name: `${metric}_${snakeCase(figure)}${figure.toLowerCase().includes('ratio') ? '' : `_${units[metric]}`}${end === 'center' ? '' : `_${end}`}`,
        read: (row: Row) => row[metric]?.[figure][end],
      })),
    ),
  ),
];

/** One row for each visit to a cell and each arm of it, numbers as they were measured; one where the visit failed. */
export function serversVisitRows({ id, cells }: ServersDocument, visits: readonly ServersVisit[]): Table {
  const head = [
    ...['measurement_id', 'round', 'cell', ...factorNames.map(snakeCase)],
    ...['arm', 'transport', 'requests_per_s', 'cpu_us', 'latency_median_us', 'requests', 'errors'],
    ...['failure', 'host_steal_ratio', 'host_foreign_ratio'],
  ];
  const rows = visits.flatMap(({ round, cell: index, arms: measured, failure, machine }) => {
    const cell = cells[index]?.cell;
    const visit = [id, round, cell?.id, ...factorNames.map((factor) => cell?.settings[factor])];
    const how = [failure, machine?.stealRatio, machine?.foreignRatio];
    if (measured === null) return [[...visit, ...Array<Cell>(7).fill(null), ...how]];
    return namesOf(twoSidesAndTwin).map((arm): Cell[] => {
      const { perS, cpuUs, medianUs, requests, errors } = measured[arm];
      const transport = arm === 'comparison' ? 'https' : 'http';
      return [...visit, arm, transport, perS, cpuUs, medianUs, requests, errors, ...how];
    });
  });
  return [head, ...rows];
}
