import { z } from 'zod';
import { negotiatedTlsSchema } from '../../base/tls-profile.ts';
import { countSchema, nonNegativeSchema } from '../../base/units.ts';

/**
 * The figures of an ApacheBench 2.3 report (`ab`, of the Apache HTTP Server), in its units: ms for times, and KiB/s, which
 * it calls Kbytes/sec, for the transfer rate.
 */

const spreadSchema = z.strictObject({
  min: nonNegativeSchema,
  mean: nonNegativeSchema,
  sd: nonNegativeSchema,
  median: nonNegativeSchema,
  max: nonNegativeSchema,
});
export type AbSpread = z.infer<typeof spreadSchema>;

const timesSchema = z.strictObject({
  connect: spreadSchema,
  processing: spreadSchema,
  waiting: spreadSchema,
  total: spreadSchema,
});
export type AbTimes = z.infer<typeof timesSchema>;

const failedSchema = z.strictObject({
  connect: countSchema,
  receive: countSchema,
  length: countSchema,
  exceptions: countSchema,
});

/** The rungs of its ladder. */
export const abPercents = [50, 66, 75, 80, 90, 95, 98, 99, 100] as const;

export const abFiguresSchema = z.strictObject({
  /** As the Server header says; empty without one. */
  serverSoftware: z.string(),
  hostname: z.string(),
  port: z.int().min(1).max(65535),
  /** Null over http. */
  tls: z
    .strictObject({
      /** Version, cipher suite, bits of the server's key and of the cipher: `TLSv1.3,TLS_AES_256_GCM_SHA384,2048,256`. */
      protocol: z.string(),
      /** Key agreement: `X25519 253 bits`; null for one that `ab` has no words for. */
      temporaryKey: z.string().nullable(),
      /** Name that was asked for (SNI); null for an address. */
      serverName: z.string().nullable(),
    })
    .nullable(),
  path: z.string(),
  /** Of the body; null where it varies. */
  documentBytes: countSchema.nullable(),
  concurrency: z.int().positive(),
  seconds: z.number().positive(),
  complete: countSchema,
  failed: failedSchema,
  /** Answers whose status is not 2xx; `ab` does not count them as failed. */
  non2xx: countSchema,
  /** Null without `-k`. */
  keepAliveRequests: countSchema.nullable(),
  totalBytes: countSchema,
  htmlBytes: countSchema,
  requestsPerS: nonNegativeSchema,
  /** Concurrency × seconds ÷ requests. */
  msPerRequest: nonNegativeSchema,
  /** Seconds ÷ requests. */
  msAcrossConcurrent: nonNegativeSchema,
  kibPerS: nonNegativeSchema,
  /** `connect` holds the TLS handshake, `waiting` is from sending to the first byte, `processing` to the last. Null when nothing completed. */
  timesMs: timesSchema.nullable(),
  percentiles: z.array(z.strictObject({ percent: z.number(), ms: nonNegativeSchema })),
  /** In sentences: where a figure is not what `ab` would have counted. */
  notes: z.array(z.string()),
});
export type AbFigures = z.infer<typeof abFiguresSchema>;

/** What has to be kept of requests so that `ab`'s report of them can be printed later. */
export const abCountsSchema = z.strictObject({
  seconds: z.number().positive(),
  requests: countSchema,
  connectionsOpened: countSchema,
  failed: failedSchema,
  non2xx: countSchema,
  totalBytes: countSchema,
  htmlBytes: countSchema,
  /** Null over http, and without an answer. */
  negotiated: negotiatedTlsSchema.nullable(),
  /** Whether the phases of a request were recorded: without them connect and waiting are 0. */
  phased: z.boolean(),
  /** Null when nothing completed; so are the milliseconds at each of `abPercents`. */
  timesMs: timesSchema.nullable(),
  ladderMs: z.array(nonNegativeSchema).length(abPercents.length).nullable(),
});
export type AbCounts = z.infer<typeof abCountsSchema>;
