import { z } from 'zod';
import { printChange, printNumber } from '../../base/quantity.ts';
import { bySideSchema } from '../../base/transport-schema.ts';
import { countSchema, estimateSchema, nonNegativeSchema, unixMillisSchema } from '../../base/units.ts';
import { printSize } from './traffic.ts';

/**
 * Later runs of a list’s server, each beside what the list predicts for its traffic. A machine’s own speed moves by more than a price, so
 * each run has a reference: its HTTP side, measured in the same rounds. The list’s prices, scaled to it, are judged by the difference.
 */

const laterRunSchema = z.strictObject({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  createdAt: unixMillisSchema,
});
export type LaterRun = z.infer<typeof laterRunSchema>;

const costsSchema = z.strictObject({ ...bySideSchema(estimateSchema).shape, difference: estimateSchema });

const predictedRunSchema = laterRunSchema.extend({
  /** Mean body of a response, bytes. */
  bytes: nonNegativeSchema,
  /** Null where none was opened while it was measured. */
  requestsPerConnection: z.number().positive().nullable(),
  /** Share of its new connections that resumed a session. */
  returningShare: z.number().min(0).max(1),
  /** Server CPU per request, µs, at full load. */
  measured: costsSchema,
  /** By the list as it is. */
  listed: costsSchema,
  /** By the list, with each round scaled so that HTTP costs what the run measured. */
  scaled: costsSchema,
  /** Measured CPU of the HTTP side divided by the list’s. */
  slowness: z.number().positive(),
  /** Whether the scaled difference is inside an interval, or within 15 %. */
  agrees: z.boolean(),
});
export type PredictedRun = z.infer<typeof predictedRunSchema>;

export const predictionsSchema = z.strictObject({
  /** Oldest first. */
  runs: z.array(predictedRunSchema),
  /** Runs of the same server that the list cannot predict, with the reason in a sentence. */
  leftOut: z.array(laterRunSchema.extend({ reason: z.string() })),
  /** Runs of another version, configuration, TLS, or machine. */
  others: countSchema,
  /** The item that explains most of the misses, if three runs or more are off; null if none does. */
  suspect: z
    .strictObject({
      title: z.string(),
      /** Added to its difference, it would explain them best, µs. */
      moreUs: z.number(),
      /** Share of the squares of the misses that it explains. */
      share: z.number().min(0).max(1),
    })
    .nullable(),
});
export type Predictions = z.infer<typeof predictionsSchema>;

/** The finding in sentences; none without a run. */
export function predictionsInWords({ runs, others, suspect }: Predictions): string[] {
  const agreeing = runs.filter(({ agrees }) => agrees).length;
  const moved = runs.map(({ slowness }) => slowness);
  return [
    ...(runs.length === 0
      ? []
      : [
          `${agreeing} of ${runs.length} later ${runs.length === 1 ? 'run agrees' : 'runs agree'} with the list: the difference is inside an interval, or within 15 %, once the list is scaled to the HTTP side of the run.`,
          `Over HTTP, ${runs.length === 1 ? 'it' : 'they'} cost ${printRange(moved)} compared with the list.`,
        ]),
    ...(suspect === null
      ? []
      : [
          `“${suspect.title}” explains ${printNumber(100 * suspect.share, 0)} % of what the others miss: with ${printNumber(Math.abs(suspect.moreUs), 1)} µs ${suspect.moreUs < 0 ? 'less' : 'more'}, they would come closest. Measure the list again.`,
        ]),
    ...(others === 0
      ? []
      : [
          `${others} later ${others === 1 ? 'run is' : 'runs are'} of another version, configuration, TLS, or machine.`,
        ]),
  ];
}

/** `−4 %`, `−4 to +12 %`. */
function printRange(ratios: readonly number[]): string {
  const [lo, hi] = [Math.min(...ratios), Math.max(...ratios)].map((each) => printChange(each, 0));
  return lo === hi ? `${lo}` : `${lo} to ${hi}`;
}

/** `10 kB, 5 requests per connection, 50 % resumed`. */
export function trafficInWords({
  bytes,
  requestsPerConnection: each,
  returningShare,
}: Pick<PredictedRun, 'bytes' | 'requestsPerConnection' | 'returningShare'>): string {
  if (each === null) return `${printSize(bytes)}, connections kept open`;
  const resumed = returningShare === 0 ? [] : [`${printNumber(100 * returningShare, 0)} % resumed`];
  const isWhole = Math.abs(each - Math.round(each)) < 0.05;
  const count = printNumber(each, isWhole || each >= 10 ? 0 : 1);
  const requests = `${count} ${count === '1' ? 'request' : 'requests'} per connection`;
  return [printSize(bytes), requests, ...resumed].join(', ');
}
