import { z } from 'zod';
import { either } from '../../base/option.ts';
import { printMs, printNumber, printQuantity, printShare, scaleFor } from '../../base/quantity.ts';
import { type BySide, labelsOf, sideNames, type Transport } from '../../base/transport.ts';
import { bySideSchema } from '../../base/transport-schema.ts';
import { countSchema, nonNegativeSchema } from '../../base/units.ts';
import type { RoundTrip } from '../../target/preflight.ts';
import { linkNameOf, linkNames, parseLink, usualInitialWindow } from './link-text.ts';

/** A link: the path between two hosts, as this machine imitates it. Distances are round trips, as `ping` shows them. */

const shortestRoundTripMs = 0;
const longestRoundTripMs = 2000;
const slowestMbitPerS = 0.1;
const fastestMbitPerS = 1000;
const leastLossPercent = 0.01;
const mostLossPercent = 20;
/** Segments that fit in the receive window that Linux offers with a new connection, 64 kB. */
const mostSegments = 44;

export const linkSchema = z.strictObject({
  roundTripMs: numberBetween(shortestRoundTripMs, longestRoundTripMs, 'ms', 'the round trip of a link'),
  /** Each way, of packets with their headers of IPv4, or of what TCP carries through a relay; null for no limit. */
  mbitPerS: numberBetween(slowestMbitPerS, fastestMbitPerS, 'Mbit/s', 'the rate of a link')
    .nullable()
    .default(null),
  /** Share of lost packets, each way. This and the fields below need Linux TCP over a TUN device. */
  lossPercent: numberBetween(leastLossPercent, mostLossPercent, '%', 'the loss of a link').optional(),
  /** Segments that a sender sends before the first acknowledgment; 10 when absent. */
  initialWindow: numberBetween(1, mostSegments, 'segments', 'the initial window of a link')
    .int('the initial window of a link is a whole number of segments')
    .optional(),
  /** The kernel's own when absent. */
  congestionControl: z
    .string()
    .regex(/^[a-z][a-z_]{0,14}$/, 'a congestion control is a name, such as cubic or bbr')
    .optional(),
});
export type Link = z.infer<typeof linkSchema>;

/** Link in a request: the name of a profile, or a custom link as text or as figures. */
export const linkRequestSchema = z.preprocess((asked: unknown, context): unknown => {
  if (typeof asked !== 'string') return asked;
  const link = parseLink(asked);
  if (link !== null) return link;
  context.addIssue({ code: 'custom', message: linkProblem(asked), input: asked });
  return z.NEVER;
}, linkSchema);

/** `metro (5 ms round trip)`, `mobile (60 ms round trip, 20 Mbit/s)`, `25 ms round trip, 1 % loss`. */
export function linkInWords(link: Link): string {
  const rate = link.mbitPerS === null ? [] : [rateInWords(link.mbitPerS)];
  const figures = [`${roundTripInWords(link)} round trip`, ...rate, ...partsInWords(link)].join(', ');
  const name = linkNameOf(link);
  return name === null ? figures : `${name} (${figures})`;
}

/** For the heads of columns: `metro, 5 ms`, or `25 ms, 50 Mbit/s`. */
export function linkInShort(link: Link): string {
  const name = linkNameOf(link);
  const rate = name !== null || link.mbitPerS === null ? [] : [rateInWords(link.mbitPerS)];
  return [
    ...(name === null ? [] : [name]),
    roundTripInWords(link),
    ...rate,
    ...partsInWords(link, 'iw'),
  ].join(', ');
}

function partsInWords(
  { lossPercent, initialWindow, congestionControl }: Link,
  window = 'initial window',
): string[] {
  return [
    ...(lossPercent === undefined ? [] : [`${printNumber(lossPercent, digitsOf(lossPercent, 2))} % loss`]),
    ...(initialWindow === undefined ? [] : [`${window} ${initialWindow}`]),
    ...(congestionControl === undefined ? [] : [congestionControl]),
  ];
}

/** `5 ms`. */
function roundTripInWords({ roundTripMs }: Link): string {
  return `${printNumber(roundTripMs, digitsOf(roundTripMs))} ms`;
}

function rateInWords(mbitPerS: number): string {
  return `${printNumber(mbitPerS, digitsOf(mbitPerS))} Mbit/s`;
}

/** Delay that a link added to a round trip, from pings through it while it was in use, in ms. */
const addedDelaySchema = z.strictObject({
  pings: countSchema,
  median: z.number(),
  p5: z.number(),
  p95: z.number(),
});
export type AddedDelay = z.infer<typeof addedDelaySchema>;

/** For results without a link, as a clause: UDP's packets stay as long as on a network. */
export const loopbackFavorsTcp = 'loopback has an MTU of 65,536 bytes, which favors TCP';

/** Carrier of the bytes, and the reason: the kernel's own TCP, or our relay, which has no slow start. */
const carriedBySchema = z.discriminatedUnion('name', [
  z.strictObject({
    name: z.literal('kernel'),
    initialWindow: countSchema,
    congestionControl: z.string(),
    packets: countSchema,
    /** Dropped for the loss that was asked for, and by a full queue before the rate. */
    lost: countSchema,
    overflowed: countSchema,
  }),
  z.strictObject({ name: z.literal('relay'), why: z.string() }),
]);
export type CarriedBy = z.infer<typeof carriedBySchema>;

/** The link that something was measured over; `added` is null before the first ping, and without `by` it was not opened yet. */
export const measuredLinkSchema = z.strictObject({
  ...linkSchema.shape,
  added: addedDelaySchema.nullable(),
  by: carriedBySchema.optional(),
});
export type MeasuredLink = z.infer<typeof measuredLinkSchema>;

/** `5.1 ms (4.9 to 5.6 ms in 9 of 10 pings)`. */
export function addedInWords({ median, p5, p95 }: AddedDelay): string {
  const print = (ms: number) => printNumber(ms, 2);
  return `${print(median)} ms (${print(p5)} to ${print(p95)} ms in nine of ten pings)`;
}

/** `Linux TCP over a TUN device: slow start, initial window 10, cubic`. */
export function carriedInWords(by: CarriedBy): string {
  if (by.name === 'relay') return `A relay without slow start, because ${by.why}`;
  const { initialWindow, congestionControl, packets, lost, overflowed } = by;
  const count = (number: number) => printNumber(number, 0);
  const dropped = [
    ...(lost === 0 ? [] : [`${count(lost)} lost`]),
    ...(overflowed === 0 ? [] : [`${count(overflowed)} dropped by a full queue`]),
  ];
  const drops = dropped.length === 0 ? '' : `; of ${count(packets)} packets, ${dropped.join(' and ')}`;
  return `Linux TCP over a TUN device: slow start, initial window ${initialWindow}, ${congestionControl}${drops}`;
}

/** Sentences for lists of facts. */
export function describeLink({ added, by, ...link }: MeasuredLink): string {
  const what = `Over a link of ${linkInWords(link)}`;
  return [
    added === null ? `${what}.` : `${what}, which added ${addedInWords(added)}.`,
    ...(by === undefined ? [] : [`${carriedInWords(by)}.`]),
  ].join(' ');
}

function linkProblem(text: string): string {
  return `${JSON.stringify(text.slice(0, 60))} is not a link: write ${linkNames.join(', ')}, a round trip such as 25ms, or 25ms,50mbit,1%,iw20,bbr`;
}

function numberBetween(least: number, most: number, unit: string, what: string) {
  const error = ({ input }: { input?: unknown }) =>
    `${what} is ${printNumber(least, digitsOf(least, 2))} to ${printNumber(most, 0)} ${unit}, not ${String(input)}`;
  return z.number({ error }).min(least, { error }).max(most, { error });
}

function digitsOf(figure: number, most = 1): number {
  return Number.isInteger(figure) ? 0 : Number.isInteger(figure * 10) ? 1 : most;
}

/** The path to a target: how long its round trip is, and what part of a latency that is. */

const pathSideSchema = z.strictObject({
  /** With what a link adds. */
  roundTripUs: nonNegativeSchema,
  /** Smallest number per transaction: large requests and responses wait for more. */
  roundTrips: nonNegativeSchema,
  /** Median of a transaction. */
  latencyUs: nonNegativeSchema,
});

export const pathSchema = bySideSchema(pathSideSchema);
export type Path = z.infer<typeof pathSchema>;

/** `HTTP: 1 round trip of 0.42 ms, 13 % of the median latency. HTTPS: …` */
export function describePath(path: Path, sides: BySide<{ transport: Transport }>): string {
  const labels = labelsOf(sides);
  const sentences = sideNames.map((side) => {
    const { roundTripUs, roundTrips, latencyUs } = path[side];
    const trips = printNumber(roundTrips, 1).replace(/\.0$/, '');
    const share = printShare(shareOf(roundTrips * roundTripUs, latencyUs));
    return `${labels[side]}: ${trips} round ${trips === '1' ? 'trip' : 'trips'} of ${printUs(roundTripUs)}, ${share} of the median latency.`;
  });
  return sentences.join(' ');
}

/**
 * `Round trip 0.42 ms, 13 % of the 3.1 ms until a response begins.`
 * @param firstByteUs from sending a request on an open connection; null where none was answered
 */
export function describeRoundTrip({ minimumUs }: RoundTrip, firstByteUs: number | null): string {
  const trip = `Round trip ${printUs(minimumUs)}`;
  if (firstByteUs === null) return `${trip}.`;
  return `${trip}, ${printShare(shareOf(minimumUs, firstByteUs))} of the ${printUs(firstByteUs)} until a response begins.`;
}

/** The path may have been slower when its round trip was measured. */
function shareOf(pathUs: number, us: number): number {
  return Math.min(1, pathUs / Math.max(1, us));
}

function printUs(us: number): string {
  return printQuantity(us, scaleFor('us', [us]));
}

/** Payload of an Ethernet packet, less the headers of IP and of TCP with its timestamps. */
const segmentBytes = 1448;

/**
 * Round trips of what a server sends in one go, such as its certificates. In slow start, it sends an initial window of segments, and
 * twice as many in each further round trip. Sources: RFC 5681 section 3.1, RFC 6928.
 */
export function roundTripsOfFlight(bytes: number, segments = usualInitialWindow): number {
  let trips = 1;
  for (let sent = segments; sent * segmentBytes < bytes; trips++) sent += segments * 2 ** trips;
  return trips;
}

/** Initial windows, in segments, with which the shorter of two flights takes fewer round trips: `2 or 5 to 7`; null for none. */
export function windowsThatSave(plainBytes: number, compressedBytes: number): string | null {
  const ranges: [from: number, to: number][] = [];
  for (let segments = 1; segments <= mostSegments; segments++) {
    const [plain, compressed] = [plainBytes, compressedBytes].map((bytes) =>
      roundTripsOfFlight(bytes, segments),
    ) as [number, number];
    const last = ranges.at(-1);
    if (compressed >= plain) continue;
    if (last?.[1] === segments - 1) last[1] = segments;
    else ranges.push([segments, segments]);
  }
  if (ranges.length === 0) return null;
  return either.format(ranges.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)));
}

/** Saving by compressed certificates: `277 bytes and no round trip, as both fit into the first 10 segments (14,480 bytes)`. */
export function savingInWords(plainBytes: number, compressedBytes: number, path: Link | undefined): string {
  const segments = path?.initialWindow ?? usualInitialWindow;
  const [plain, compressed] = [plainBytes, compressedBytes].map((bytes) =>
    roundTripsOfFlight(bytes, segments),
  ) as [number, number];
  const saved = plainBytes - compressedBytes;
  const rate = path?.mbitPerS ?? null;
  const sending = rate === null ? [] : [`${printMs((saved * 8) / (rate * 1000))} of sending`];
  const parts = [`${printNumber(saved, 0)} bytes`, ...sending];
  if (compressed < plain) {
    const ms = path === undefined ? '' : ` (${printRoundTrip(path.roundTripMs * (plain - compressed))})`;
    return `${parts.join(', ')}, and ${plain - compressed === 1 ? 'a round trip' : `${plain - compressed} round trips`}${ms}`;
  }
  const both =
    plain === 1
      ? `both flights fit into the first ${printNumber(segments, 0)} segments (${printNumber(segments * segmentBytes, 0)} bytes)`
      : `both flights take ${plain}`;
  const windows = windowsThatSave(plainBytes, compressedBytes);
  const others = windows === null ? '' : `; it would save one with an initial window of ${windows}`;
  return `${parts.join(', ')}, and no round trip, because ${both}${others}`;
}

function printRoundTrip(ms: number): string {
  return `${printNumber(ms, ms < 10 ? 1 : 0)} ms`;
}
