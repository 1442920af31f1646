import { z } from 'zod';
import { type Options, placeOptions } from '../../base/option.ts';
import { describe, requestSchemas } from '../../base/option-schema.ts';
import { problem } from '../../base/problem.ts';
import { bySideSchema } from '../../base/transport-schema.ts';
import { estimateSchema } from '../../base/units.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { billSchema, pricesSchema } from '../comparison/bill.ts';
import { priceOptions, utilizationOption } from '../comparison/bill-options.ts';
import type { RunDocument } from '../comparison/run.ts';

/** A traffic, its sources, and the bill of it by a price list. */

const ofTraffic = { hint: null, group: 'Traffic' } as const;

const trafficTable = {
  requestsPerS: {
    ...{ type: 'number', above: 0, max: 1e7, default: 1000 },
    label: 'Requests per second',
    help: 'Requests per second',
    ...ofTraffic,
  },
  sizes: {
    type: 'text',
    pattern: /^[\d.,\s%kKMGiB]{1,500}$/,
    taken: 'one size, such as "10 kB", or several with their shares, such as "2 kB 80%, 100 kB 20%"',
    takes: 'sizes',
    print: printSizes,
    default: '10 kB',
    label: 'Response sizes',
    help: 'Bodies of the responses: one size, or several with their shares, such as `2 kB 80%, 100 kB 20%`',
    hint: null,
    group: ofTraffic.group,
  },
  requestsPerConnection: {
    ...{ type: 'number', min: 1, max: 1e6, default: 10 },
    label: 'Requests per connection',
    help: 'Requests that a connection carries before it closes, on average',
    ...ofTraffic,
  },
  returningShare: {
    ...{ type: 'share', min: 0, max: 1, default: 0.5 },
    label: 'Resumed connections',
    help: 'Share of the new connections that resume a session over HTTPS',
    ...ofTraffic,
  },
  openConnections: {
    ...{ type: 'whole', min: 0, max: 1e8, default: 0 },
    label: 'Open connections',
    help: 'Connections that are open at the same time, for their memory',
    ...ofTraffic,
  },
  roundTripMs: {
    ...{ type: 'number', min: 0, max: 10_000, default: 20, unit: 'ms' },
    label: 'Round trip',
    help: 'Round-trip time to the visitors, in milliseconds',
    ...ofTraffic,
  },
  utilization: { ...utilizationOption, group: ofTraffic.group },
} as const satisfies Options;

export const trafficOptions = [...placeOptions('traffic', trafficTable), ...priceOptions];

const sizesTaken = 'a traffic has one size, or several with shares that add up to 100%';

/** Bodies of the responses by size. Shares add up to 1. */
type SizeShares = { bytes: number; share: number }[];

const mostSizes = 50;

const sizesSchema = z
  .array(z.strictObject({ bytes: z.number().min(0).max(1e12), share: z.number().min(0).max(1) }))
  .min(1)
  .max(mostSizes)
  .refine((sizes) => Math.abs(sizes.reduce((sum, { share }) => sum + share, 0) - 1) < 0.005, sizesTaken);

/** Sizes as a text, or as a list. */
const writtenSizesSchema = z.union(
  [
    z.string().transform((text, context) => {
      const sizes = readSizes(text);
      if (sizes === null) context.addIssue({ code: 'custom', message: sizesTaken });
      return sizes ?? z.NEVER;
    }),
    sizesSchema,
  ],
  { error: sizesTaken },
);

const trafficSchema = z.strictObject({
  ...requestSchemas(trafficTable),
  sizes: describe(trafficTable.sizes, writtenSizesSchema.prefault(trafficTable.sizes.default)),
});
export type Traffic = z.infer<typeof trafficSchema>;

export const trafficRequestSchema = z.strictObject({
  traffic: trafficSchema.prefault({}),
  prices: pricesSchema.prefault({}),
});
export type TrafficRequest = z.infer<typeof trafficRequestSchema>;
export type TrafficRequestInput = z.input<typeof trafficRequestSchema>;

/** Requests of a traffic without their number. Connections that never close have infinitely many requests. */
export type TrafficMix = Pick<Traffic, 'sizes' | 'requestsPerConnection' | 'returningShare'>;

const missingPriceSchema = z.strictObject({
  /** `a new connection`. */
  item: z.string(),
  /** Reason why the list has no price of it, in a sentence. */
  why: z.string(),
  /** Advice, in a sentence. */
  remedy: z.string(),
});
export type MissingPrice = z.infer<typeof missingPriceSchema>;

const pricedRequestSchema = z.strictObject({
  /** µs of server CPU per request; null where a price is missing. */
  ...bySideSchema(estimateSchema.nullable()).shape,
  /** Comparison less baseline. */
  difference: estimateSchema.nullable(),
  missing: z.array(missingPriceSchema),
});
export type PricedRequest = z.infer<typeof pricedRequestSchema>;

const limitSchema = z.strictObject({
  /** `Signatures`, `Network`. */
  name: z.string(),
  /** The bound and what to do, in sentences. */
  sentence: z.string(),
  /** The prices contradict it, so there is no verdict. */
  broken: z.boolean(),
});
export type Limit = z.infer<typeof limitSchema>;

/** The bill of a traffic on both sides, by a price list. */
export const trafficBillSchema = billSchema.extend({
  list: z.strictObject({ id: z.string(), url: z.string(), title: z.string() }),
  traffic: trafficSchema.extend({ sizes: sizesSchema }),
  missing: z.array(missingPriceSchema),
  limits: z.array(limitSchema),
});
export type TrafficBill = z.infer<typeof trafficBillSchema>;

const units: Record<string, number> = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, KiB: 1024, MiB: 1024 ** 2 };

const sizePattern = /^(\d[\d.,]*) ?([kKMG]?i?B)?(?: (\d[\d.]*) ?%)?$/;

/** `10 kB`, `2 kB 80%, 100 kB 20%`; a number without a unit is in bytes. Null for what is none. */
export function readSizes(text: string): SizeShares | null {
  const parts = text
    .split(/(?<=[%B])\s?[,;]/)
    .map((part) => sizePattern.exec(part.trim().replaceAll(/\s+/g, ' ')));
  const sizes = parts.map((part) => {
    const [, number = '', unit = 'B', percent] = part ?? [];
    const bytes =
      part === null ? Number.NaN : Number(number.replaceAll(',', '')) * (units[unit] ?? Number.NaN);
    const alone = parts.length === 1 ? 1 : Number.NaN;
    return { bytes, share: percent === undefined ? alone : Number(percent) / 100 };
  });
  return sizesSchema.safeParse(sizes).data ?? null;
}

/** Sizes as they are typed. */
export function printSizes(sizes: SizeShares | string): string {
  if (typeof sizes === 'string') return sizes;
  if (sizes.length === 1) return printSize(sizes[0]?.bytes ?? 0);
  return sizes
    .map(({ bytes, share }) => `${printSize(bytes)} ${Number((share * 100).toPrecision(4))}%`)
    .join(', ');
}

/** `250 B`, `64 kB`, `1.5 MB`. */
export function printSize(bytes: number): string {
  const [symbol, divisor] = bytes < 1000 ? ['B', 1] : bytes < 1e6 ? ['kB', 1000] : ['MB', 1e6];
  return `${Number((bytes / divisor).toPrecision(3)).toLocaleString('en-US')} ${symbol}`;
}

/** Parts of a traffic that a run, a scenario, a HAR, or an access log knows. Those that it does not know are null, so that somebody is asked. */
export type KnownTraffic = {
  requestsPerS: number | null;
  /** Empty if it has no sizes. */
  sizes: SizeShares;
  requestsPerConnection: number | null;
  returningShare: number | null;
};

export const knownNames = ['requestsPerS', 'sizes', 'requestsPerConnection', 'returningShare'] as const;

/** The part of a request that a source knows. */
export function knownIn(known: KnownTraffic): Partial<Pick<Traffic, (typeof knownNames)[number]>> {
  const isKnown = ([, value]: [string, unknown]) =>
    value !== null && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(
    knownNames.map((name) => [name, known[name]] as [string, unknown]).filter(isKnown),
  );
}

type Run = Pick<RunDocument, 'scenario' | 'fairness' | 'connections'>;

/** The traffic of a run over HTTPS. How much of it there is the users know. */
export function trafficOfRun({ scenario, fairness, connections }: Run): KnownTraffic {
  const bytes = fairness?.comparison.bodyBytesPerTransaction ?? null;
  const counted = connections?.comparison;
  const handshakes = counted === undefined ? 0 : counted.handshakesFull + counted.handshakesResumed;
  return {
    requestsPerS: null,
    sizes: bytes === null ? [] : [{ bytes: Math.round(bytes / scenario.steps.length), share: 1 }],
    requestsPerConnection: counted === undefined ? null : counted.requests / Math.max(1, counted.opened),
    returningShare:
      counted === undefined ? null : handshakes === 0 ? 0 : counted.handshakesResumed / handshakes,
  };
}

/** Sizes as they were recorded. */
export function trafficOfScenario({ steps }: Pick<Scenario, 'steps'>): KnownTraffic {
  const lengths = steps.flatMap(({ enabled, recorded }) => (enabled ? (recorded?.bodyLength ?? []) : []));
  return { ...unknown, sizes: sizeClasses(lengths) };
}

const unknown = { requestsPerS: null, requestsPerConnection: null, returningShare: null };

type HarEntry = {
  connection?: unknown;
  response?: { bodySize?: unknown; content?: { size?: unknown } };
};

/** Sizes of the bodies as they came, and requests by connection. Throws import_unreadable. */
export function trafficOfHar(text: string): KnownTraffic {
  const entries = entriesOf(text);
  if (entries === null)
    throw problem(
      'import_unreadable',
      'The file is not a HAR: it has no log.entries. In DevTools, choose Export HAR in the Network panel.',
    );
  const sizes = entries.flatMap(({ response }) => {
    const [sent, decoded] = [response?.bodySize, response?.content?.size];
    // −1 is what Chrome writes for an unknown size.
    if (typeof sent === 'number' && sent >= 0) return [sent];
    return typeof decoded === 'number' && decoded >= 0 ? [decoded] : [];
  });
  const connected = entries.flatMap(({ connection }) => (typeof connection === 'string' ? [connection] : []));
  const opened = new Set(connected).size;
  return {
    ...unknown,
    sizes: sizeClasses(sizes),
    requestsPerConnection: opened === 0 ? null : connected.length / opened,
  };
}

function entriesOf(text: string): HarEntry[] | null {
  try {
    const entries: unknown = JSON.parse(text)?.log?.entries;
    return Array.isArray(entries)
      ? entries.filter((each) => typeof each === 'object' && each !== null)
      : null;
  } catch {
    return null;
  }
}

const mostClasses = 12;

/** Classes of about as many requests each, with the mean of their sizes. */
function sizeClasses(sizes: readonly number[]): SizeShares {
  const ascending = sizes.toSorted((a, b) => a - b);
  const classes = Math.min(mostClasses, new Set(sizes).size);
  const distinct = [...new Set(ascending)];
  const classOf = (place: number) =>
    distinct.length <= mostClasses
      ? distinct.indexOf(ascending[place] ?? 0)
      : Math.floor((place * classes) / ascending.length);
  const groups = Map.groupBy(ascending.keys(), classOf);
  return [...groups.values()].map((places) => ({
    bytes: Math.round(places.reduce((sum, place) => sum + (ascending[place] ?? 0), 0) / places.length),
    share: places.length / ascending.length,
  }));
}
