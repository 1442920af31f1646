import { printQuantity, scaleFor } from '../../../../shared/base/quantity.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import type { Percentiles, PhaseTimes } from '../../../../shared/kinds/comparison/slot.ts';

type TimeRow = { of: string; what: string; baseline: string; comparison: string };

type Times = Partial<PhaseTimes> & { latencyUs?: Percentiles };
type Figure = { what: string; read: (times: Times) => number | undefined };

const figures: readonly Figure[] = [
  { what: 'Connecting, median', read: ({ connectUs }) => connectUs?.p50 },
  { what: 'TLS handshake, median', read: ({ tlsUs }) => tlsUs?.p50 },
  { what: 'Waiting for the first byte, median', read: ({ ttfbUs }) => ttfbUs?.p50 },
  { what: 'Download, median', read: ({ downloadUs }) => downloadUs?.p50 },
  { what: 'Whole, median', read: ({ latencyUs }) => latencyUs?.p50 },
  { what: 'Whole, 90th percentile', read: ({ latencyUs }) => latencyUs?.p90 },
];

/** The transaction first, then each step. A phase that happened on neither side has no row. */
export function timeRows({ phases, steps }: Pick<ShownRun, 'phases' | 'steps'>): TimeRow[] {
  return [
    ...rowsOf('Transaction', phases?.baseline ?? null, phases?.comparison ?? null),
    ...steps.flatMap(({ name, baseline, comparison }) => rowsOf(name, baseline, comparison)),
  ];
}

function rowsOf(of: string, baseline: Times | null, comparison: Times | null): TimeRow[] {
  const present = figures
    .map(({ what, read }) => ({
      what,
      a: baseline === null ? undefined : read(baseline),
      b: comparison === null ? undefined : read(comparison),
    }))
    .filter(({ a, b }) => a !== undefined || b !== undefined);
  const scale = scaleFor(
    'us',
    present.flatMap(({ a, b }) => [a, b]).filter((value) => value !== undefined),
  );
  const print = (value: number | undefined) => (value === undefined ? '–' : printQuantity(value, scale));
  return present.map(({ what, a, b }) => ({ of, what, baseline: print(a), comparison: print(b) }));
}

/** Why there is no handshake in the rows; null when there is, or when it was not recorded. */
export function missingHandshakes({ phases }: Pick<ShownRun, 'phases'>): string | null {
  if (phases === null) return null;
  const opened = [phases.baseline, phases.comparison].some((side) => (side?.connectUs ?? null) !== null);
  return opened ? null : 'Connections were kept alive, so no transaction had to wait for a new one.';
}
