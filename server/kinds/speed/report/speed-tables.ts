import { printChange, printChangeInterval, printNumber } from '../../../../shared/base/quantity.ts';
import { leadingPerS } from '../../../../shared/kinds/speed/leading-speed.ts';
import { type SpeedCost, type SpeedRow, speedSizes } from '../../../../shared/kinds/speed/speed.ts';
import { figures, type Part, table, texts } from '../../../base/text/report/report.ts';

/** Of primitives with sizes: millions of bytes a second by `openssl speed`, and below them the change through Node. */
export function sizeTable(rows: readonly SpeedRow[]): Part {
  const sized = rows.filter(({ bytes }) => bytes !== null);
  const names = [...new Set(sized.map(({ primitive }) => primitive))];
  const lines = names.flatMap((name) => {
    const own = speedSizes.map((size) => sized.find((row) => row.primitive === name && row.bytes === size));
    const speeds = own.map((row) => printSpeed(row === undefined ? null : leadingPerS(row).bytes));
    const changes = own.map((row) => (row === undefined ? '' : changeOf(row)));
    return [
      [name, ...speeds],
      ...(changes.every((each) => each === '') ? [] : [['  through Node', ...changes]]),
    ];
  });
  return table(
    [...texts('MB/s'), ...figures(...speedSizes.map((size) => `${printNumber(size, 0)} B`))],
    lines,
  );
}

/** Of the others: operations a second. */
export function keyTable(rows: readonly SpeedRow[]): Part {
  const lines = rows
    .filter(({ bytes }) => bytes === null)
    .map((row) => [
      `${row.primitive} ${row.operation}`,
      printNumber(leadingPerS(row).operations, 0),
      printNumber(1e6 / leadingPerS(row).operations, 1),
      changeOf(row),
      row.openssl.status === 'measured' && row.openssl.ratio !== null
        ? printChangeInterval(row.openssl.ratio)
        : '',
    ]);
  return table([...texts('Operation'), ...figures('Per s', 'µs', 'through Node', '95 % CI')], lines);
}

/** Why Node is slow with small blocks: what a call costs before its first byte. */
export function costTable(costs: readonly SpeedCost[]): Part {
  const print = (value: number | undefined) =>
    value === undefined ? null : printNumber(Math.max(0, value), value < 10 ? 2 : 1);
  return table(
    [
      ...texts('Primitive'),
      ...figures('µs before the first byte', 'in openssl', 'ns per byte', 'in openssl'),
    ],
    costs.map(({ primitive, node, openssl }) => [
      primitive,
      ...[node?.callUs, openssl?.callUs, node?.nsPerByte, openssl?.nsPerByte].map(print),
    ]),
  );
}

function printSpeed(bytesPerS: number | null): string | null {
  if (bytesPerS === null) return null;
  const millions = bytesPerS / 1e6;
  return printNumber(millions, millions < 100 ? 1 : 0);
}

function changeOf({ openssl }: SpeedRow): string {
  return openssl.status === 'measured' && openssl.ratio !== null ? printChange(openssl.ratio.center) : '';
}
