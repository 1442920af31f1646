/** Protects OpenTelemetry: a collector gets each measurement, request and metric, and one that hangs holds nothing up. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { labPhases } from '../../shared/lab-progress.ts';
import { startLabServer } from '../testing/lab-in-test.ts';
import { type OtlpCollector, type OtlpSpan, startOtlpCollector } from '../testing/otlp-collector.ts';
import { findPostgres, startPostgres } from '../testing/postgres-cluster.ts';
import { endPrograms, startProgram } from '../testing/program-in-test.ts';
import { traceIdOf } from './trace-id.ts';

const bin = findPostgres();
const directory = mkdtempSync(join(tmpdir(), 'tls-toll-telemetry-'));
const collectors: OtlpCollector[] = [];
afterEach(() => {
  endPrograms();
  for (const collector of collectors.splice(0)) collector.close();
});
afterAll(() => rmSync(directory, { recursive: true }));

async function startCollector(answers: boolean): Promise<OtlpCollector> {
  const collector = await startOtlpCollector(answers);
  collectors.push(collector);
  return collector;
}

async function start(answers: boolean, environment: NodeJS.ProcessEnv) {
  const collector = await startCollector(answers);
  const server = await startLabServer({
    ...{ TLS_TOLL_DATA: directory, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment },
  });
  return { collector, server };
}

const parent = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceparent = `00-${parent.traceId}-${parent.spanId}-01`;

test('a measurement is a trace, a request a span below its sender’s, and metrics are those of /metrics', async () => {
  const { collector, server } = await start(true, {
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20secret',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
  const { body } = await server.create(50, { traceparent });
  await server.watch(body.id).until(({ type }) => type === 'end');
  await server.ask('GET', '/api/v1/lab?limit=7&note=hidden');
  expect((await server.ask('GET', '/metrics')).status).toBe(404);
  server.program.kill('SIGTERM');
  expect(await server.program.ended).toBe(0);

  const spans = collector.spans().filter(({ traceId }) => traceId === traceIdOf(body.id));
  const whole = spans.find(({ parentSpanId }) => parentSpanId === undefined);
  expect(whole).toMatchObject({
    name: 'measurement handshakes',
    attributes: {
      'tls_toll.measurement.id': body.id,
      'tls_toll.measurement.kind': 'handshakes',
      'tls_toll.measurement.state': 'finished',
    },
  });
  const parts = spans.filter(({ parentSpanId }) => parentSpanId === whole?.spanId);
  expect(parts.map(({ name }) => name)).toEqual(['queued', 'preparation', ...labPhases]);
  expect(parts[0]?.startTimeUnixNano).toBe(whole?.startTimeUnixNano);
  expect(parts.at(-1)?.endTimeUnixNano).toBe(whole?.endTimeUnixNano);
  expect(spans).toHaveLength(1 + parts.length);

  const requests = collector.spans().filter(({ attributes }) => 'http.request.method' in attributes);
  expect(requests.find(({ traceId }) => traceId === parent.traceId)).toMatchObject({
    name: 'POST /api/v1/lab',
    parentSpanId: parent.spanId,
    attributes: { 'http.request.method': 'POST', 'http.route': '/api/v1/lab' },
  });
  expect(requests.map(({ name }) => name).toSorted()).toEqual([
    'GET /api/v1/lab',
    'GET /api/v1/lab/{id}/events',
    'POST /api/v1/lab',
  ]);
  const everything = collector.received.map(({ body }) => body.toString('utf8')).join('\n');
  expect(everything).not.toMatch(/hidden|limit=7|a secret/);

  expect(collector.points('tls_toll_measurements')).toMatchObject([
    { attributes: { kind: 'handshakes', state: 'finished' }, asDouble: 1 },
  ]);
  const answered = collector.points('tls_toll_http_request_duration_seconds');
  expect(answered.find(({ attributes }) => attributes.method === 'POST')).toMatchObject({ count: 1 });
  expect(new Set(collector.received.map(({ path }) => path))).toEqual(new Set(['/v1/traces', '/v1/metrics']));
  expect(new Set(collector.received.map(({ headers }) => headers['x-key']))).toEqual(new Set(['a secret']));
  for (const resource of collector.resources()) {
    expect(resource).toMatchObject({
      'service.name': 'tls-toll',
      'service.instance.id': expect.stringMatching(/:\d+$/),
      'deployment.environment.name': 'test',
    });
  }
});

test('a collector that never answers holds up neither a measurement nor the end, and is named once', async () => {
  const { collector, server } = await start(false, {
    ...{ OTEL_EXPORTER_OTLP_TIMEOUT: '600000', LOG_LEVEL: 'warn' },
  });
  await server.ask('GET', '/api/v1/health', { traceparent });
  const { body } = await server.create(50);
  await server.watch(body.id).until(({ type }) => type === 'end');
  const before = performance.now();
  server.program.kill('SIGTERM');
  expect(await server.program.ended).toBe(0);
  // The exporters themselves would wait for half a minute.
  expect(performance.now() - before).toBeLessThan(20_000);
  expect(server.program.stderr().match(/Cannot send (traces|metrics)/g)).toHaveLength(1);
  // Protobuf unless JSON is asked for.
  const spans = collector.received.filter(({ path }) => path === '/v1/traces');
  expect(spans.map(({ headers }) => headers['content-type'])).toContain('application/x-protobuf');
  expect(spans.some(({ body }) => body.includes(Buffer.from(parent.traceId, 'hex')))).toBe(true);
});

test.skipIf(bin === null)(
  'a runner sends the trace of what it measures, and the dashboard does not',
  async () => {
    const cluster = await startPostgres(bin ?? '');
    try {
      const shared = { DATABASE_URL: cluster.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
      const { collector: ofDashboard, server } = await start(true, { ...shared, TLS_TOLL_RUNNER: 'off' });
      const ofRunner = await startCollector(true);
      const runner = startProgram('server/cli.ts', ['runner', '--name', 'fra-1'], {
        ...{ ...shared, TLS_TOLL_DATA: join(directory, 'fra-1') },
        ...{ OTEL_EXPORTER_OTLP_ENDPOINT: ofRunner.url, OTEL_SERVICE_NAME: 'runners' },
      });
      await runner.prints(/is waiting/);
      const { body } = await server.create(50);
      await server.watch(body.id).until(({ type }) => type === 'end');
      for (const { kill } of [runner, server.program]) kill('SIGTERM');
      expect([await runner.ended, await server.program.ended]).toEqual([0, 0]);
      const isItsOwn = ({ traceId }: OtlpSpan) => traceId === traceIdOf(body.id);
      expect(ofRunner.spans().filter(isItsOwn)[0]).toMatchObject({ name: 'measurement handshakes' });
      expect(ofDashboard.spans().filter(isItsOwn)).toEqual([]);
      expect(ofRunner.points('tls_toll_running')).toMatchObject([{ asDouble: 0 }]);
      const own = { 'service.name': 'runners', 'service.instance.id': 'fra-1' };
      expect(ofRunner.resources()[0]).toMatchObject(own);
    } finally {
      endPrograms();
      await cluster.stop();
    }
  },
);
