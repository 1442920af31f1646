import { z } from 'zod';
import { printNumber } from '../../base/quantity.ts';
import { countSchema } from '../../base/units.ts';
import { linkNames } from './link-names.ts';
import { linkNameOf, parseLink } from './link-text.ts';

/** A link: the path between two hosts, as a relay on this machine imitates it. Distances are round trips, as `ping` shows them. */

const shortestRoundTripMs = 0.1;
const longestRoundTripMs = 2000;
const slowestMbitPerS = 0.1;
const fastestMbitPerS = 1000;

export const linkSchema = z.strictObject({
  roundTripMs: numberBetween(shortestRoundTripMs, longestRoundTripMs, 'ms', 'the round trip of a link'),
  /** Each way, of what TCP carries; null for no limit. */
  mbitPerS: numberBetween(slowestMbitPerS, fastestMbitPerS, 'Mbit/s', 'the rate of a link')
    .nullable()
    .default(null),
});
export type Link = z.infer<typeof linkSchema>;

/** What a request takes: the name of a profile, or a link of one's own as text or as figures. */
export const linkRequestSchema = z.preprocess((asked: unknown, context): unknown => {
  if (typeof asked !== 'string') return asked;
  const link = parseLink(asked);
  if (link !== null) return link;
  context.addIssue({ code: 'custom', message: linkProblem(asked), input: asked });
  return z.NEVER;
}, linkSchema);

/** `metro (5 ms round trip)`, `mobile (60 ms round trip, 20 Mbit/s)`, `25 ms round trip`. */
export function linkInWords(link: Link): string {
  const figures = `${roundTripInWords(link)} round trip${link.mbitPerS === null ? '' : `, ${rateInWords(link.mbitPerS)}`}`;
  const name = linkNameOf(link);
  return name === null ? figures : `${name} (${figures})`;
}

/** For the heads of columns: `metro, 5 ms`, or `25 ms, 50 Mbit/s`. */
export function linkInShort(link: Link): string {
  const name = linkNameOf(link);
  if (name !== null) return `${name}, ${roundTripInWords(link)}`;
  return `${roundTripInWords(link)}${link.mbitPerS === null ? '' : `, ${rateInWords(link.mbitPerS)}`}`;
}

/** `5 ms`. */
function roundTripInWords({ roundTripMs }: Link): string {
  return `${printNumber(roundTripMs, digitsOf(roundTripMs))} ms`;
}

function rateInWords(mbitPerS: number): string {
  return `${printNumber(mbitPerS, digitsOf(mbitPerS))} Mbit/s`;
}

/** What the relay added to a round trip, from pings through it while it was in use, in ms. */
const addedDelaySchema = z.strictObject({
  pings: countSchema,
  median: z.number(),
  p5: z.number(),
  p95: z.number(),
});
export type AddedDelay = z.infer<typeof addedDelaySchema>;

/** The link that something was measured over; `added` is null before the first ping. */
export const measuredLinkSchema = z.strictObject({ ...linkSchema.shape, added: addedDelaySchema.nullable() });
export type MeasuredLink = z.infer<typeof measuredLinkSchema>;

/** `5.1 ms (4.9 to 5.6 ms in 9 of 10 pings)`. */
export function addedInWords({ median, p5, p95 }: AddedDelay): string {
  const print = (ms: number) => printNumber(ms, 2);
  return `${print(median)} ms (${print(p5)} to ${print(p95)} ms in nine of ten pings)`;
}

/** A sentence for lists of facts. */
export function describeLink({ added, ...link }: MeasuredLink): string {
  const what = `Over a link of ${linkInWords(link)}, imitated by a relay`;
  return added === null ? `${what}.` : `${what}, which added ${addedInWords(added)}.`;
}

function linkProblem(text: string): string {
  return `${JSON.stringify(text.slice(0, 60))} is not a link: write ${linkNames.join(', ')}, a round trip such as 25ms, or 25ms,50mbit`;
}

function numberBetween(least: number, most: number, unit: string, what: string) {
  const error = ({ input }: { input?: unknown }) =>
    `${what} is ${printNumber(least, 1)} to ${printNumber(most, 0)} ${unit}, not ${String(input)}`;
  return z.number({ error }).min(least, { error }).max(most, { error });
}

function digitsOf(figure: number): number {
  return Number.isInteger(figure) ? 0 : 1;
}
