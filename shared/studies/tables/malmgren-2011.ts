import type { AbFigures } from '../../kinds/servers/ab-figures.ts';

/** What `ab` printed of nginx with keep-alive and 800 clients at once. The host and its port are not published. */
export const malmgren2011: Omit<AbFigures, 'hostname' | 'port'> = {
  serverSoftware: 'nginx/1.0.2',
  tls: { protocol: 'TLSv1/SSLv3,RC4-SHA,2048,128', temporaryKey: null, serverName: null },
  path: '/index.html',
  documentBytes: 5496,
  concurrency: 800,
  seconds: 11.31,
  complete: 10_000,
  failed: { connect: 0, receive: 0, length: 0, exceptions: 0 },
  non2xx: 0,
  keepAliveRequests: 10_000,
  totalBytes: 57_131_424,
  htmlBytes: 54_970_992,
  requestsPerS: 884.17,
  msPerRequest: 904.801,
  msAcrossConcurrent: 1.131,
  kibPerS: 4933.01,
  timesMs: {
    connect: { min: 0, mean: 353, sd: 1238.8, median: 0, max: 6437 },
    processing: { min: 196, mean: 534, sd: 540.1, median: 390, max: 3240 },
    waiting: { min: 196, mean: 534, sd: 540.1, median: 390, max: 3240 },
    total: { min: 196, mean: 887, sd: 1676.8, median: 390, max: 6972 },
  },
  percentiles: [
    { percent: 50, ms: 390 },
    { percent: 66, ms: 390 },
    { percent: 75, ms: 391 },
    { percent: 80, ms: 392 },
    { percent: 90, ms: 395 },
    { percent: 95, ms: 6674 },
    { percent: 98, ms: 6924 },
    { percent: 99, ms: 6949 },
    { percent: 100, ms: 6972 },
  ],
  notes: [],
};
