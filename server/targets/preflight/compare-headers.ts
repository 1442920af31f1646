/** Headers of a response in which two sides of one application may differ: they speak of the moment or the connection. */
const harmless = new Set([
  'age',
  'alt-svc',
  'connection',
  'date',
  'etag',
  'expires',
  'keep-alive',
  'last-modified',
  'nel',
  'report-to',
  'server-timing',
  'strict-transport-security',
  'traceparent',
  'transfer-encoding',
  'upgrade',
  'via',
  'x-correlation-id',
  'x-envoy-upstream-service-time',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
  'x-response-time',
  'x-runtime',
  'x-trace-id',
]);

/** Compared for themselves, with more care. */
const judgedElsewhere = new Set([
  'content-encoding',
  'content-length',
  'content-type',
  'location',
  'set-cookie',
]);

type Headers = readonly (readonly [name: string, value: string])[];

/** Names of the headers that one side lacks or has with another value, harmless ones left out. Names in lower case. */
export function differingHeaders(ours: Headers, theirs: Headers): string[] {
  const [left, right] = [new Map(ours), new Map(theirs)];
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((name) => !harmless.has(name) && !judgedElsewhere.has(name))
    .filter((name) => left.get(name) !== right.get(name))
    .sort();
}
