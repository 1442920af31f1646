import { excludes } from '../../shared/base/estimate-arithmetic.ts';
import { printChange } from '../../shared/base/quantity.ts';
import type { BySide } from '../../shared/base/transport.ts';
import type { Estimate } from '../../shared/base/units.ts';
import type { Bill, BillRow, Prices } from '../../shared/kinds/comparison/bill.ts';
import { listed } from '../../shared/words/example-words.ts';
import { dollarsLike } from '../../shared/words/precision-words.ts';
import { scaled, sum } from './statistics/estimates.ts';

/** How much of something both sides use, and how much more the comparison uses; null if it was not measured. */
export type Use = Pick<BillRow, 'baseline' | 'comparison' | 'added'>;
export type BillLine = Omit<BillRow, 'unit'>;

type Billed = {
  sides: BySide<string>;
  /** Use of cores, at the ceiling of utilization. */
  cores: readonly BillLine[];
  /** Bytes that the server sends per second. */
  bytesPerS: readonly BillLine[];
  notIncluded: readonly string[];
  /** The difference in CPU is not certain, so it has no price. */
  isUnclear?: boolean;
};

/** Hours per month: 365 days ÷ 12. */
const monthHours = 730;

/** Cores run all month and are billed by the hour; bytes are billed by the GB. */
export function billOf(billed: Billed, prices: Prices): Bill {
  const { sides, cores, bytesPerS, notIncluded, isUnclear = false } = billed;
  const egressGb = bytesPerS.map((line) => ({ ...line, ...scaledUse(line, (monthHours * 3600) / 1e9) }));
  const compute = { id: 'compute' as const, title: 'Compute', ...sumOf(cores, prices.vcpuHour * monthHours) };
  const egress = { id: 'egress' as const, title: 'Egress', ...sumOf(egressGb, prices.egressGb) };
  const total = sumOf([compute, egress], 1);
  const note = missingOf([...cores, ...bytesPerS]);
  const inDollars = { unit: '$', note: null } as const;
  const rows = [
    ...cores.map((line) => ({ ...line, unit: 'cores' as const })),
    { ...compute, ...inDollars },
    ...egressGb.map((line) => ({ ...line, unit: 'GB' as const })),
    { ...egress, ...inDollars },
    { id: 'total' as const, title: 'Total', ...total, ...inDollars, note },
  ];
  return {
    sides,
    verdict: isUnclear ? unclear : verdictOf({ ...total, note }, { sides, compute, egress }),
    rows: isUnclear ? rows.filter(({ unit }) => unit !== '$') : rows,
    notIncluded: [...notIncluded, ...neverIncluded],
  };
}

const unclear =
  'The difference in server CPU is not certain, so there is no bill. A longer run narrows its interval.';

const neverIncluded = [
  'TCP, IP, and Ethernet headers, which clouds count as egress too',
  'memory, disks, load balancers, and traffic within the cloud',
  'free allowances, volume tiers, and discounts',
  'the difference between a vCPU of your cloud and a core of the machine that was measured',
];

/** The sum of the lines that were measured, times a price. */
function sumOf(lines: readonly Use[], price: number): Use {
  const totalOf = (side: keyof Use) => {
    const values = lines.flatMap((line) => line[side] ?? []);
    return values.length === 0 ? null : scaled(sum(values), price);
  };
  return { baseline: totalOf('baseline'), comparison: totalOf('comparison'), added: totalOf('added') };
}

function missingOf(lines: readonly BillLine[]): string | null {
  const missing = lines.filter(({ added }) => added === null).map(({ title }) => title.toLowerCase());
  return missing.length === 0 ? null : `Without ${listed(missing)}: not measured.`;
}

export function scaledUse(use: Use, factor: number): Use {
  const of = (value: Estimate | null) => (value === null ? null : scaled(value, factor));
  return { baseline: of(use.baseline), comparison: of(use.comparison), added: of(use.added) };
}

type Parts = { sides: BySide<string>; compute: Use; egress: Use };

function verdictOf(total: Use & Pick<BillRow, 'note'>, parts: Parts): string {
  const { added, note } = total;
  if (added === null) return 'Neither CPU nor egress was measured, so there is no bill.';
  return [differenceOf(added, parts.sides), shareOf(total, parts), note]
    .filter((each) => each !== null)
    .join(' ');
}

/** `+0.2 %: CPU $2.41, bytes $19.08.` Null where the sum has one part only, or may be none. */
function shareOf({ baseline, added }: Use, { compute, egress }: Parts): string | null {
  if (baseline === null || added === null || compute.added === null || egress.added === null) return null;
  if (baseline.center === 0 || !excludes(added, 0)) return null;
  const print = dollarsLike(added);
  const share = printChange(1 + added.center / baseline.center);
  return `${share}: CPU ${print(compute.added.center)}, bytes ${print(egress.added.center)}.`;
}

/** If the interval includes 0, only the interval is printed. */
function differenceOf(added: Estimate, { baseline, comparison }: BySide<string>): string {
  const { lo, hi } = added;
  if (lo === 0 && hi === 0) return `${comparison} and ${baseline} cost the same.`;
  if (hi < 0) return `${comparison} costs ${amountOf(scaled(added, -1), `less than ${baseline}`)}.`;
  if (lo > 0) return `${comparison} costs ${amountOf(added, `more than ${baseline}`)}.`;
  const print = dollarsLike(added);
  return `${comparison} costs between ${print(lo)} and ${print(hi)} per month more than ${baseline}: the difference may be none.`;
}

function amountOf(amount: Estimate, than: string): string {
  const print = dollarsLike(amount);
  const { center, lo, hi } = amount;
  const interval = lo === hi ? '' : ` (95 % CI ${print(lo)} to ${print(hi)})`;
  return `${print(center)} per month ${than}${interval}`;
}
