import type { GroupName, KeyName } from '../../shared/base/cipher-suites.ts';
import { exactly, excludes } from '../../shared/base/estimate-arithmetic.ts';
import { printChange } from '../../shared/base/quantity.ts';
import type { BySide } from '../../shared/base/transport.ts';
import type { Estimate } from '../../shared/base/units.ts';
import type {
  Bill,
  BillRow,
  CapacityFigure,
  CapacityLoad,
  CapacityVersion,
  PartName,
  Prices,
} from '../../shared/kinds/comparison/capacity.ts';
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
  return `${comparison} costs between ${print(lo)} and ${print(hi)} a month more than ${baseline}: the difference may be none.`;
}

function amountOf(amount: Estimate, than: string): string {
  const print = dollarsLike(amount);
  const { center, lo, hi } = amount;
  const interval = lo === hi ? '' : ` (95 % CI ${print(lo)} to ${print(hi)})`;
  return `${print(center)} a month ${than}${interval}`;
}

/**
 * Demand of a load on the server per second. A new visitor's connections are opened concurrently, so all of them are full. If every request
 * has its own connection, only a new visitor's first is full: the others follow it and resume its session.
 */
export function demandOf(load: CapacityLoad): Record<PartName, number> {
  const { visitsPerS, requestsPerVisit, pageBytes, returningShare, keepAlive, resumption } = load;
  const request = visitsPerS * requestsPerVisit;
  const connection = visitsPerS * connectionsOf(load);
  const fullOfVisit = keepAlive ? connectionsOf(load) : 1;
  const full = resumption ? visitsPerS * (1 - returningShare) * fullOfVisit : connection;
  return { request, connection, full, resumed: connection - full, byte: request * pageBytes };
}

/** Never more than there are requests. */
export function connectionsOf({ keepAlive, connectionsPerVisit, requestsPerVisit }: CapacityLoad): number {
  return keepAlive ? Math.min(connectionsPerVisit, requestsPerVisit) : requestsPerVisit;
}

/**
 * Rounded measurements of a core of 2020s with OpenSSL 3.5, for what nobody has measured. An order of magnitude, and said
 * to be one. Of a handshake: the protocol, the server's part of the key agreement, the signature.
 */
export function typicalCosts(version: CapacityVersion): CostSource {
  return {
    request: () =>
      typical(500, 'An assumption for a server at full load. This figure varies most between applications.'),
    connection: () => typical(50),
    full: (key, group) => typical(protocolUs.full + groupUs[group] + signUs[key]),
    resumed: (group) =>
      typical(version === 'TLSv1.2' ? protocolUs.resumedTwelve : protocolUs.resumed + groupUs[group]),
    byte: () => typical(0.001),
    signs: (key) => typical(1e6 / signUs[key]),
  };
}

function typical(value: number, from = 'Typical of a busy 2020s core; not measured here.'): Cost {
  return { value: exactly(value), source: 'typical', from };
}

/** In TLS 1.2 a resumed handshake agrees on no key, and is all protocol. */
export const protocolUs = { full: 100, resumed: 80, resumedTwelve: 70 };

const signUs: Record<KeyName, number> = {
  'RSA-512': 45,
  'RSA-1024': 90,
  'RSA-2048': 260,
  'RSA-3072': 740,
  'RSA-4096': 1500,
  'P-256': 23,
  'P-384': 790,
  Ed25519: 33,
  'ML-DSA-44': 560,
  'ML-DSA-65': 1050,
  'ML-DSA-87': 1160,
};

const groupUs: Record<GroupName, number> = {
  X25519: 70,
  'P-256': 75,
  'P-384': 1530,
  'P-521': 3500,
  X448: 300,
  ffdhe2048: 590,
  ffdhe3072: 1450,
  X25519MLKEM768: 95,
  SecP256r1MLKEM768: 98,
  SecP384r1MLKEM1024: 1560,
  MLKEM512: 17,
  MLKEM768: 22,
  MLKEM1024: 28,
};

/** One figure and where it is from. In microseconds, unless its place says otherwise. */
export type Cost = Pick<CapacityFigure, 'source' | 'from'> & { value: Estimate };

/** All that a load is reckoned with. Where a source does not know a figure it gives null, and the next one is asked. */
export type CostSource = {
  request(): Cost | null;
  connection(): Cost | null;
  full(key: KeyName, group: GroupName): Cost | null;
  resumed(group: GroupName): Cost | null;
  /** Cost of one byte. */
  byte(): Cost | null;
  /** Signatures a second. */
  signs(key: KeyName): Cost | null;
};

/** The first that knows. */
export function firstOf(sources: readonly Partial<CostSource>[]): CostSource {
  const ask = (question: (source: Partial<CostSource>) => Cost | null | undefined) => {
    for (const source of sources) {
      const cost = question(source) ?? null;
      if (cost !== null) return cost;
    }
    return null;
  };
  return {
    request: () => ask((source) => source.request?.()),
    connection: () => ask((source) => source.connection?.()),
    full: (key, group) => ask((source) => source.full?.(key, group)),
    resumed: (group) => ask((source) => source.resumed?.(group)),
    byte: () => ask((source) => source.byte?.()),
    signs: (key) => ask((source) => source.signs?.(key)),
  };
}
