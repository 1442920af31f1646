import { z } from 'zod';
import { flagsOf, nestValues, valueIn } from '../../../shared/base/option.ts';
import { printChange, printChangeInterval, printNumber } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import { describePlacement } from '../../../shared/kinds/comparison/at-load.ts';
import { decimalsDividing } from '../../../shared/kinds/comparison/shift.ts';
import { levelOptions, serversOptions } from '../../../shared/kinds/servers/options.ts';
import { nameOfLevel, serversHeadline } from '../../../shared/kinds/servers/servers.ts';
import {
  type CellFigures,
  type CellResult,
  cellSettingsSchema,
  factorNames,
  type ServersDocument,
  type ServersRequest,
  type ServersVisit,
  serversVisitSchema,
} from '../../../shared/kinds/servers/servers-result.ts';
import {
  leadOf,
  list,
  quantities,
  type Report,
  type ReportCell,
  type TablePart,
  table,
  texts,
} from '../../../shared/report/report.ts';
import { malmgrenToday, sentenceOf } from '../../../shared/studies/read-sizes.ts';
import { softwareInWords } from '../../../shared/words/negotiated-words.ts';
import { reportOf } from '../../base/text/report.ts';
import { flatten, type Table } from '../../base/text/terminal.ts';

/** A sweep over servers: what matters most, the study of 2011 beside it, then every cell. */
export function reportServers(document: ServersDocument): Report {
  const { ranking, servers, cells, placement } = document;
  const headline = serversHeadline(document);
  return reportOf(document, {
    title: headline?.title ?? 'What HTTPS costs on real servers',
    lead: [...leadOf(headline), list(ranking)],
    sections: [
      { heading: 'Malmgren 2011, today', parts: [list(malmgrenToday(document).map(sentenceOf))] },
      { heading: 'Levels', isDetail: true, parts: [levelTable(document)] },
      {
        heading: 'Combinations',
        parts: [
          table(
            columns,
            cells.map(cellsOf),
            null,
            cells.map(({ cell }) => `servers/${cell.id}`),
          ),
        ],
      },
      { heading: 'Servers', isDetail: true, parts: [list(servers.map(softwareInWords))] },
    ],
    where: [describePlacement(placement)],
  });
}

const columns = [
  ...texts('Combination'),
  ...quantities(['HTTP requests/s', 'throughput/first'], ['HTTPS requests/s', 'throughput/second']),
  ...quantities(['Change', 'throughput/change'], ['HTTP CPU at full load, µs', 'cpu/first']),
  ...quantities(['HTTPS CPU at full load, µs', 'cpu/second'], ['Change', 'cpu/change']),
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
    ...cpuCells(cpu),
  ];
}

function cpuCells(cpu: Pick<CellFigures, 'http' | 'https' | 'ratio'> | null): ReportCell[] {
  if (cpu === null) return [null, null, null];
  const decimals = decimalsDividing(cpu.http.center, [cpu.ratio], 1);
  return [...[cpu.http, cpu.https].map(({ center }) => printNumber(center, decimals)), change(cpu.ratio)];
}

/** CPU by the levels of each factor alone, which the headline is about. */
function levelTable({ levels }: Pick<ServersDocument, 'levels'>): TablePart {
  const rows = levels.flatMap(({ factors: [factor = 'server', ...others], groups }) =>
    others.length > 0 ? [] : groups.map(({ levels: [level = null], cpu }) => ({ factor, level, cpu })),
  );
  return table(
    [
      ...texts('Level'),
      ...quantities(['HTTP CPU at full load, µs', 'cpu/first'], ['HTTPS CPU at full load, µs', 'cpu/second']),
      ...quantities(['Change', 'cpu/change']),
    ],
    rows.map(({ factor, level, cpu }) => [nameOfLevel(factor, level), ...cpuCells(cpu)]),
    null,
    rows.map(({ factor, level }) => `servers/levels/${factor} ${level}`),
  );
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

const { keyType, valueType } = serversVisitSchema.shape.arms.unwrap();
const armsSchema = z.record(keyType, valueType.omit({ ab: true }));
const placedSchema = serversVisitSchema.extend({
  ...{ cell: z.string(), ...cellSettingsSchema.shape },
  arms: armsSchema.nullable(),
});
const visitRows = flatten(z.object({ visits: z.array(placedSchema) }));

/** A row for each arm of each visit to a cell; a single one where the visit failed. */
export function serversRows({ id, cells }: ServersDocument, visits: readonly ServersVisit[]): Table {
  const placed = visits.flatMap((visit) => {
    const { cell } = cells[visit.cell] ?? {};
    return cell === undefined ? [] : [{ ...visit, cell: cell.id, ...cell.settings }];
  });
  return visitRows({ id, visits: placed });
}
