import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** For tests: takes what OpenTelemetry exporters send over HTTP, and reads it where it is JSON. */
export type OtlpCollector = {
  url: string;
  /** Whatever it was sent, as it came. */
  received: { path: string; headers: IncomingHttpHeaders; body: Buffer }[];
  spans(): OtlpSpan[];
  /** Points of a metric in everything that was sent, the newest last. */
  points(name: string): OtlpPoint[];
  /** Attributes of the processes that sent something. */
  resources(): Record<string, unknown>[];
  close(): void;
};

export type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, unknown>;
  status: { code?: number; message?: string };
};

export type OtlpPoint = {
  attributes: Record<string, unknown>;
  asDouble?: number;
  count?: number;
  bucketCounts?: number[];
};

type Raw<Item> = Omit<Item, 'attributes'> & { attributes?: { key: string; value: object }[] };
type Sent = {
  resourceSpans?: { resource: Raw<object>; scopeSpans: { spans: Raw<OtlpSpan>[] }[] }[];
  resourceMetrics?: { resource: Raw<object>; scopeMetrics: { metrics: RawMetric[] }[] }[];
};
type RawMetric = { name: string } & Partial<
  Record<'gauge' | 'sum' | 'histogram', { dataPoints: Raw<OtlpPoint>[] }>
>;

/** @param answers whether it answers; one that does not keeps whoever sends waiting */
export async function startOtlpCollector(answers = true): Promise<OtlpCollector> {
  const received: OtlpCollector['received'] = [];
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request;
    received.push({ path, headers, body: await buffer(request) });
    if (answers) response.setHeader('Content-Type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sent = () =>
    received
      .filter(({ headers }) => headers['content-type'] === 'application/json')
      .map(({ body }) => JSON.parse(body.toString('utf8')) as Sent);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    spans: () =>
      sent()
        .flatMap(({ resourceSpans = [] }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map(withAttributes),
    points: (name) =>
      sent()
        .flatMap(({ resourceMetrics = [] }) => resourceMetrics)
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
        .filter((metric) => metric.name === name)
        .flatMap(({ gauge, sum, histogram }) => (gauge ?? sum ?? histogram)?.dataPoints ?? [])
        .map(withAttributes),
    resources: () =>
      sent()
        .flatMap(({ resourceSpans = [], resourceMetrics = [] }) => [...resourceSpans, ...resourceMetrics])
        .map(({ resource }) => withAttributes(resource).attributes),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function withAttributes<Item>({ attributes = [], ...rest }: Raw<Item>) {
  const named = attributes.map(({ key, value }) => [key, Object.values(value)[0]] as const);
  return { ...rest, attributes: Object.fromEntries(named) } as unknown as Item & {
    attributes: Record<string, unknown>;
  };
}
