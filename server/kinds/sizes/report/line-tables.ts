import { estimateDecimals, printNumber } from '../../../../shared/base/quantity.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import { nameSizeArm } from '../../../../shared/kinds/sizes/size-arm.ts';
import { chosenLine, type SizeFit, type SizeLine } from '../../../../shared/kinds/sizes/size-line.ts';
import type { ArmResult, LineDifference, SizesDocument } from '../../../../shared/kinds/sizes/sizes.ts';
import { figures, type Part, type ReportCell, table, texts } from '../../../../shared/report/report.ts';

/** The lines of a sweep over sizes, as tables of its report. */

type Quantity = 'latency' | 'cpu';

/** A row for each line: `*` marks the one that is used. */
export function lineTable({ arms }: Pick<SizesDocument, 'arms'>, quantity: Quantity): Part {
  const rows = arms.flatMap((arm) => {
    const fit = arm[quantity];
    return fit === null ? [] : linesOf(fit).map((line) => rowOf(arm, fit, line));
  });
  return table(lineColumns, rows);
}

const lineColumns = [
  ...texts('', 'Line', 'Sizes'),
  ...figures('Offset, ms', '95 % CI', 'TransferRate, bytes/ms', '95 % CI'),
  ...figures('µs per record', '95 % CI', 'R²', 'Largest residual'),
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
    `${form === 'records' ? 'with records' : 'straight'}${refusals.length > 0 ? ', refused' : isUsed ? ' *' : ''}`,
    `${printNumber(residuals[0]?.size ?? 0, 0)} to ${printNumber(residuals.at(-1)?.size ?? 0, 0)}`,
    ...cellsOf(offsetUs, 1000),
    ...cellsOf(bytesPerMs, 1),
    ...cellsOf(recordUs, 1),
    rSquared === null ? null : printNumber(rSquared, 4),
    worst === undefined ? null : `${printNumber(worst.percent, 1)} % at ${printNumber(worst.size, 0)} bytes`,
  ];
}

/** What each https arm adds to http. */
export function differenceTable(document: SizesDocument, quantity: Quantity): Part {
  const rows = document.comparisons.flatMap((comparison) => {
    const overhead = comparison[quantity];
    const arm = document.arms.find((each) => each.arm === comparison.arm);
    if (overhead === null || arm === undefined) return [];
    const { straight, records } = overhead;
    return [straight, ...(records === null ? [] : [records])].map((lines) => [
      nameSizeArm(arm),
      `${lines.form === 'records' ? 'with records' : 'straight'}${lines.holds ? '' : ', refused'}`,
      ...differenceCells(lines),
    ]);
  });
  return table(differenceColumns, rows);
}

const differenceColumns = [
  ...texts('HTTP against', 'Lines'),
  ...figures('ΔOffset, ms', '95 % CI', 'Δ(1/Rate), ns a byte', '95 % CI', 'Rate lost, %', '95 % CI'),
];

function differenceCells({ offsetUs, usPerByte, rateLossPercent }: LineDifference): ReportCell[] {
  return [...cellsOf(offsetUs, 1000), ...cellsOf(usPerByte, 1e-3), ...cellsOf(rateLossPercent, 1)];
}

function cellsOf(estimate: Estimate | null, divisor: number): ReportCell[] {
  if (estimate === null) return [null, null];
  const print = (value: number) => printNumber(value / divisor, estimateDecimals(estimate, divisor));
  return [print(estimate.center), `${print(estimate.lo)} to ${print(estimate.hi)}`];
}
