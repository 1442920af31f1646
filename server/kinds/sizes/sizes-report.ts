import {
  estimateDecimals,
  intervalDecimals,
  printChange,
  printChangeInterval,
  printNumber,
} from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import { describePlacement } from '../../../shared/kinds/comparison/at-load.ts';
import { decimalsDividing } from '../../../shared/kinds/comparison/shift.ts';
import {
  describeLoad,
  nameSizeArm,
  sizesHeadline,
  titleOfSizes,
  unsaturated,
} from '../../../shared/kinds/sizes/size-words.ts';
import {
  type ArmResult,
  chosenLine,
  type LineDifference,
  type SizeFit,
  type SizeLine,
  type SizeOverhead,
  type SizePoint,
  type SizesDocument,
  sizesHistory,
} from '../../../shared/kinds/sizes/sizes.ts';
import type { Figures } from '../../../shared/measurement/history-view.ts';
import {
  figures,
  leadOf,
  list,
  type Part,
  quantities,
  type Report,
  type ReportCell,
  table,
  text,
  texts,
} from '../../../shared/report/report.ts';
import { sentenceOf, webperf1998, webperfToday } from '../../../shared/studies/read-sizes.ts';
import { yearOf } from '../../../shared/studies/study-plan.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { reportOf } from '../../base/text/report.ts';
import { figuresIn } from '../define-kind.ts';

/** A sweep over sizes: the verdicts, the lines, what HTTPS adds, and every size. */
export function reportSizes(document: SizesDocument): Report {
  const { request, comparisons, placement } = document;
  const headline = sizesHeadline(document);
  return reportOf(document, {
    title:
      headline?.title ??
      `What HTTPS costs by document size: ${nameOfServer(document) ?? factsOf(request.target).name}`,
    lead: [...leadOf(headline), ...comparisons.map(({ verdict }) => text(verdict.sentence))],
    about: [methodOf(document)],
    sections: [
      ...(['latency', 'cpu'] as const).map((quantity) => ({
        heading: titleOfSizes(quantity),
        parts: [lineTable(document, quantity), differenceTable(document, quantity)],
      })),
      { heading: 'Sizes', parts: [sizeTable(document)] },
      {
        heading: 'Doubts and limits',
        parts: [list([...doubtsOf(document), ...twinOf(document), ...connectingOf(document)])],
      },
      {
        heading: 'Then and now',
        parts: [text(...thenAndNowOf(document)), list(webperfToday(document).map(sentenceOf))],
      },
    ],
    where: [describePlacement(placement)],
  });
}

/** A row a size: µs of latency and of server CPU over each arm, and what each https arm adds. */
function sizeTable(document: SizesDocument): Part {
  const { arms, comparisons, request } = document;
  const cpu = `CPU at full load`;
  const measured = request.sizes.filter((size) => arms.some(({ points }) => pointAt(points, size) !== null));
  const header = arms.flatMap((arm) => {
    const part = arm.arm === 'http' ? 'first' : 'second';
    return [
      [`${nameSizeArm(arm)}, µs`, `${arm.arm}/latency/${part}`] as const,
      [`${cpu}, µs`, `${arm.arm}/cpu/${part}`] as const,
    ];
  });
  const changes = comparisons.flatMap(({ arm }) => {
    const name = comparisons.length === 1 ? '' : ` ${nameSizeArm(armAt(arms, arm))}`;
    return [
      [`Change${name}`, `${arm}/latency/change`] as const,
      ['95 % CI', `${arm}/latency/change`] as const,
      [`${cpu}${name}`, `${arm}/cpu/change`] as const,
    ];
  });
  const rows = measured.map((size) => [
    printNumber(size, 0),
    ...arms.flatMap(({ points }) => timesOf(pointAt(points, size), decimalsAt(document, size))),
    ...comparisons.flatMap(({ latency, cpu }) => {
      const [ratio, cpuRatio] = [ratioAt(latency, size), ratioAt(cpu, size)];
      return [
        ratio === null ? null : printChange(ratio.center, intervalDecimals(ratio)),
        ratio === null ? null : printChangeInterval(ratio),
        cpuRatio === null ? null : printChangeInterval(cpuRatio),
      ];
    }),
  ]);
  const columns = [...figures('Bytes'), ...quantities(...header, ...changes)];
  return table(
    columns,
    rows,
    null,
    measured.map((size) => `sizes/${size}`),
  );
}

function pointAt(points: readonly SizePoint[], size: number): SizePoint | null {
  return points.find((point) => point.size === size) ?? null;
}

function decimalsAt({ arms, comparisons }: SizesDocument, size: number): number {
  const ratios = comparisons.flatMap(({ latency }) => ratioAt(latency, size) ?? []);
  const first = pointAt(arms[0]?.points ?? [], size)?.medianUs ?? 0;
  return decimalsDividing(first, ratios, 1, (ratio, of) => printChange(ratio, intervalDecimals(of)));
}

function timesOf(point: SizePoint | null, decimals: number): ReportCell[] {
  if (point === null) return [null, null];
  return [printNumber(point.medianUs, decimals), point.cpuUs === null ? null : printNumber(point.cpuUs, 1)];
}

function ratioAt(overhead: SizeOverhead | null, size: number) {
  return overhead?.points.find((point) => point.size === size)?.ratio ?? null;
}

function armAt(arms: SizesDocument['arms'], wanted: number) {
  return arms.find(({ arm }) => arm === wanted) ?? { arm: wanted, suite: null };
}

/** The lines of a sweep over sizes, as tables of its report. */

type Quantity = 'latency' | 'cpu';

/** A row for each line: `*` marks the one that is used. */
function lineTable({ arms }: Pick<SizesDocument, 'arms'>, quantity: Quantity): Part {
  const rows = arms.flatMap((arm) => {
    const fit = arm[quantity];
    if (fit === null) return [];
    return linesOf(fit).map((line) => ({
      of: `sizes/${quantity}/${arm.arm}/${fit.pieces.includes(line) ? `from ${line.residuals[0]?.size}` : line.form}`,
      cells: rowOf(arm, fit, line),
    }));
  });
  return table(
    lineColumns,
    rows.map(({ cells }) => cells),
    null,
    rows.map(({ of }) => of),
  );
}

const lineColumns = [
  ...texts('', 'Line', 'Sizes'),
  ...quantities(['Offset, ms', 'offset'], ['95 % CI', 'offset']),
  ...quantities(['TransferRate, GB/s', 'rate'], ['95 % CI', 'rate']),
  ...quantities(['µs per record', 'record'], ['95 % CI', 'record'], ['R²', 'fit']),
  ...quantities(['Largest residual', 'residual']),
];

function linesOf({ straight, records, pieces }: SizeFit): SizeLine[] {
  return [straight, ...(records === null ? [] : [records]), ...pieces];
}

function rowOf(arm: ArmResult, fit: SizeFit, line: SizeLine): ReportCell[] {
  const { form, offsetUs, bytesPerMs, recordUs, rSquared, residuals, refusals } = line;
  const isUsed = line === chosenLine(fit) || fit.pieces.includes(line);
  const worst = residuals.toSorted((a, b) => Math.abs(b.percent) - Math.abs(a.percent))[0];
  return [
    nameSizeArm(arm),
    `${form === 'records' ? 'with records' : 'straight'}${refusals.length > 0 ? ', rejected' : isUsed ? ' *' : ''}`,
    `${printNumber(residuals[0]?.size ?? 0, 0)} to ${printNumber(residuals.at(-1)?.size ?? 0, 0)}`,
    ...cellsOf(offsetUs, 1000),
    ...cellsOf(bytesPerMs, 1e6),
    ...cellsOf(recordUs, 1),
    rSquared === null ? null : printNumber(rSquared, 4),
    worst === undefined ? null : `${printNumber(worst.percent, 1)} % at ${printNumber(worst.size, 0)} bytes`,
  ];
}

/** Difference between each https arm and http. */
function differenceTable(document: SizesDocument, quantity: Quantity): Part {
  const rows = document.comparisons.flatMap((comparison) => {
    const overhead = comparison[quantity];
    const arm = document.arms.find((each) => each.arm === comparison.arm);
    if (overhead === null || arm === undefined) return [];
    const { straight, records } = overhead;
    return [straight, ...(records === null ? [] : [records])].map((lines) => ({
      of: `sizes/${quantity}/${arm.arm}/${lines.form}/difference`,
      cells: [
        nameSizeArm(arm),
        `${lines.form === 'records' ? 'with records' : 'straight'}${lines.holds ? '' : ', rejected'}`,
        ...differenceCells(lines),
      ],
    }));
  });
  return table(
    differenceColumns,
    rows.map(({ cells }) => cells),
    null,
    rows.map(({ of }) => of),
  );
}

const differenceColumns = [
  ...texts('HTTP against', 'Lines'),
  ...quantities(['ΔOffset, ms', 'offset'], ['95 % CI', 'offset']),
  ...quantities(['Δ(1/Rate), ns per byte', 'byte'], ['95 % CI', 'byte']),
  ...quantities(['Rate lost, %', 'loss'], ['95 % CI', 'loss']),
];

function differenceCells({ offsetUs, usPerByte, rateLossPercent }: LineDifference): ReportCell[] {
  return [...cellsOf(offsetUs, 1000), ...cellsOf(usPerByte, 1e-3), ...cellsOf(rateLossPercent, 1)];
}

function cellsOf(estimate: Estimate | null, divisor: number): ReportCell[] {
  if (estimate === null) return [null, null];
  const print = (value: number) => printNumber(value / divisor, estimateDecimals(estimate, divisor));
  return [print(estimate.center), `${print(estimate.lo)} to ${print(estimate.hi)}`];
}

/** Sentences beside the tables of a sweep over sizes. */

/** Why lines are refused, and which sizes are in none. */
function doubtsOf(document: SizesDocument): string[] {
  const { arms, leftOut } = document;
  const refused = (['latency', 'cpu'] as const).flatMap((quantity) =>
    arms.flatMap((arm) => {
      const fit = arm[quantity];
      if (fit === null) return [];
      const of = (line: SizeLine, of: string) =>
        line.refusals.map((reason) => `${titleOfSizes(quantity)}, ${nameSizeArm(arm)}, ${of}: ${reason}`);
      return [
        ...of(chosenLine(fit), 'line rejected'),
        ...fit.pieces.flatMap((piece) =>
          of(piece, `line from ${printNumber(piece.residuals[0]?.size ?? 0, 0)} bytes on refused`),
        ),
      ];
    }),
  );
  const limit = unsaturated(document);
  return [
    ...refused,
    ...(limit === null ? [] : [limit]),
    ...leftOut.map(({ size, reason }) => `Left out: ${printNumber(size, 0)} bytes. ${reason}`),
  ];
}

/** How long it takes to open a connection, which no time of the sweep includes. */
function connectingOf({ arms }: SizesDocument): string[] {
  const times = arms.flatMap((arm) =>
    arm.connectUs === null ? [] : [`${nameSizeArm(arm)} ${printNumber(arm.connectUs / 1000, 2)} ms`],
  );
  return times.length === 0
    ? []
    : [`Opening a connection, excluded from all other times: ${times.join(', ')}.`];
}

/** The study's loss of rate beside today's: straight lines, as it fitted them. */
function thenAndNowOf({ arms, comparisons }: SizesDocument): string[] {
  const now = comparisons.flatMap(({ arm, latency }) => {
    const loss = latency?.straight.rateLossPercent;
    const facts = arms.find((each) => each.arm === arm);
    if (loss == null || facts === undefined) return [];
    const percent = (value: number) => printNumber(value, estimateDecimals(loss));
    const doubt = latency?.straight.holds ? '' : ', from rejected lines';
    return [
      `${nameSizeArm(facts)} ${percent(loss.center)} % (95 % CI ${percent(loss.lo)} to ${percent(loss.hi)} %${doubt})`,
    ];
  });
  if (now.length === 0) return [];
  const then = webperf1998.map(({ server, rateLossPercent }) => `${server} ${rateLossPercent} %`);
  return [`Transfer rate lost in ${yearOf('webperf-1998')}: ${then.join(', ')}. Today: ${now.join(', ')}.`];
}

/** How far two identical listeners were apart. */
function twinOf(document: SizesDocument): string[] {
  const { latency, cpu } = document.twinRatios;
  if (latency === null) return [];
  const inCpu = cpu === null ? '' : `, ${printChangeInterval(cpu)} in server CPU at full load`;
  return [`Control (HTTP measured a second time): ${printChangeInterval(latency)} in latency${inCpu}.`];
}

/** Such as `nginx 1.22.1`. */
function nameOfServer({ server }: Pick<SizesDocument, 'server'>): string | null {
  return server === null ? null : `${server.title} ${server.version}`;
}

/** Describes the figures. */
function methodOf(document: SizesDocument): string {
  const { rounds, request } = document;
  const server = nameOfServer(document);
  const launches = new Set(rounds.map(({ launch }) => launch)).size;
  const transactions = rounds
    .flatMap(({ points }) => points)
    .reduce((sum, each) => sum + each.transactions + each.atLoad.transactions, 0);
  const load = describeLoad(document);
  return `${printNumber(transactions, 0)} requests on open connections in ${rounds.length} of ${request.rounds} rounds, ${launches === 1 ? 'on one start of the servers' : 'each on servers that were started again'}, sizes and sides in random order${server === null ? '' : `, ${server}`}. Times are medians of a round with one user, averaged over the rounds;${load === null ? '' : ` CPU is at full load, ${load};`} intervals are 95 % CI over the rounds of this sweep. R² is weighted by 1/T²; * marks the line used.`;
}

/** Each size over each arm for the history in SQL. */
export function sizeFigures({
  request,
  arms,
  comparisons,
}: Pick<SizesDocument, 'request' | 'arms' | 'comparisons'>): Figures {
  const target = factsOf(request.target).name;
  const records = arms.flatMap(({ arm, suite, negotiated, connectUs, points }) => {
    const transport = arm === 'http' ? arm : 'https';
    const of = { target, transport, cipher: negotiated?.cipher ?? suite, connectUs };
    const { latency, cpu } = comparisons.find((each) => each.arm === arm) ?? {};
    return points.map(({ size, medianUs, cpuUs, p2_5, p12_5, p87_5, p97_5, ...counts }) => ({
      ...{ ...of, ...counts, sizeBytes: size },
      latency: {
        ...overheadAt(latency, size),
        ...{ us: medianUs, p2_5Us: p2_5, p12_5Us: p12_5, p87_5Us: p87_5, p97_5Us: p97_5 },
      },
      cpu: { ...overheadAt(cpu, size), us: cpuUs },
    }));
  });
  return figuresIn(sizesHistory, records);
}

function overheadAt(overhead: SizeOverhead | null | undefined, size: number) {
  return overhead?.points.find((point) => point.size === size);
}
