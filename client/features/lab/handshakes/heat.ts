import type { MeasuredCell } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { printVersion } from '../../../../shared/report/handshakes-report.ts';

/** Null where there are not two keys and two groups to set against each other. */
export function heatOf(cells: readonly MeasuredCell[]) {
  const full = cells.filter(
    ({ cell }) => cell.resumption === 'full' && cell.group !== null && cell.guess === undefined,
  );
  const [first] = full;
  if (first === undefined) return null;
  const { version, cipher, bytes } = mostPopulated(full).cell;
  const shown = full.filter(
    ({ cell }) => cell.version === version && cell.cipher === cipher && cell.bytes === bytes,
  );
  const groups = [...new Set(shown.map(({ cell }) => cell.group ?? ''))];
  const keys = [...new Set(shown.map(({ cell }) => cell.key))];
  if (groups.length < 2 || keys.length < 2) return null;
  const costs = shown.map(({ cpuUs }) => Math.log(cpuUs.median));
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  return {
    of: `${printVersion(version)}, ${cipher}, ${bytes} B each way`,
    groups,
    rows: keys.map((key) => ({
      key,
      values: groups.map((group) => {
        const us = shown.find(({ cell }) => cell.key === key && cell.group === group)?.cpuUs.median ?? null;
        return {
          group,
          us,
          /** 0 for the cheapest and 1 for the dearest, by logarithm. */
          share: us === null || most === least ? 0 : (Math.log(us) - least) / (most - least),
        };
      }),
    })),
  };
}

/** One cell of the protocol, suite and payload that has the most cells. */
function mostPopulated(cells: readonly MeasuredCell[]): MeasuredCell {
  const sliceOf = ({ cell }: MeasuredCell) => `${cell.version} ${cell.cipher} ${cell.bytes}`;
  const sizes = Map.groupBy(cells, sliceOf);
  const [largest] = [...sizes.values()].toSorted((a, b) => b.length - a.length);
  const [one] = largest ?? cells;
  if (one === undefined) throw new Error('a heat table is made of at least one cell');
  return one;
}
