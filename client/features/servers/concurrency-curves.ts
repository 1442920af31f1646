import { printNumber } from '../../../shared/base/quantity.ts';
import { type CellSettings, factorNames } from '../../../shared/kinds/servers/servers.ts';
import type { CellResult } from '../../../shared/kinds/servers/servers-result.ts';
import { serverTitles } from '../../../shared/words/target-words.ts';
import { type factorTitles, printLevel, varying } from '../../format/factor-words.ts';

/** One server over the numbers of connections, ascending, everything else alike. */
export type Curve = { server: CellSettings['server']; points: CellResult[] };

/** Curves whose cells share all other settings. */
type CurveSet = { name: string; curves: Curve[] };

/** Empty when the number of connections does not vary. */
export function curveSets(cells: readonly CellResult[]): CurveSet[] {
  const others = varying(cells.map(({ cell }) => cell)).filter(
    (factor) => factor !== 'concurrency' && factor !== 'server',
  );
  const sets = Map.groupBy(cells, ({ cell: { settings } }) =>
    factorNames
      .filter((factor) => factor !== 'concurrency' && factor !== 'server')
      .map((factor) => settings[factor])
      .join(' '),
  );
  return [...sets.values()].flatMap((of) => {
    const [first] = of;
    const curves = [...Map.groupBy(of, ({ cell }) => cell.settings.server)]
      .map(([server, points]): Curve => ({ server, points: points.toSorted(byConcurrency) }))
      .filter(({ points }) => points.length > 1);
    if (first === undefined || curves.length === 0) return [];
    const levels = others.map((factor) => wordsOf(factor, first.cell.settings));
    return [{ name: levels.join(', ') || 'all alike', curves }];
  });
}

function byConcurrency(one: CellResult, other: CellResult): number {
  return one.cell.settings.concurrency - other.cell.settings.concurrency;
}

function wordsOf(factor: keyof typeof factorTitles, settings: CellSettings): string {
  const level = printLevel(factor, settings[factor]);
  return factor === 'keepAlive' ? `connections ${level}` : level;
}

/** Whether any request or visit of the cell failed. */
export function hasErrors({ errorShare, failures }: CellResult): boolean {
  return failures.length > 0 || (errorShare ?? 0) > 0;
}

/** From how many connections on a server had errors, in a sentence. */
export function whereErrorsBegin({ server, points }: Curve): string {
  const title = serverTitles[server];
  const first = points.find(hasErrors);
  const most = printNumber(points.at(-1)?.cell.settings.concurrency ?? 0, 0);
  if (first === undefined) return `${title}: no errors up to ${most} connections.`;
  const at = printLevel('concurrency', first.cell.settings.concurrency);
  const share = first.errorShare ?? 0;
  const [failure] = first.failures;
  if (share > 0) return `${title}: errors from ${at} on, ${printPercent(share)} of the requests there.`;
  return `${title}: errors from ${at} on. ${failure ?? ''}`.trim();
}

function printPercent(share: number): string {
  const percent = 100 * share;
  return percent < 0.01 ? 'less than 0.01 %' : `${printNumber(percent, percent < 1 ? 2 : 1)} %`;
}
