/** Protects the reading of exporters: what it costs is subtracted, and those that answer anything else are named. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { namesOf } from '../../../shared/base/arms.ts';
import { ProblemError } from '../../../shared/base/problem.ts';
import { twoSidesAndTwin } from '../../../shared/base/transport.ts';
import { parseSelector } from '../../../shared/target/metric-selector.ts';
import { openPrometheusReadings } from './prometheus-readings.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function open(answer: RequestListener, token: string | null = null) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  closers.push(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  const at = {
    ...{
      bearer: token !== null,
      address: '127.0.0.1',
      hostname: 'localhost',
      path: '/metrics',
      secure: false,
      ca: null,
    },
    port: (server.address() as AddressInfo).port,
    ...{ name: 'http://localhost/metrics', mostPerS: 100 },
    cpu: selected('process_cpu_seconds_total'),
    memory: selected('process_resident_memory_bytes'),
  };
  return openPrometheusReadings(namesOf(twoSidesAndTwin), at, token);
}

function selected(text: string) {
  const selector = parseSelector(text);
  if (selector === null) throw new Error(`${text} is no selector`);
  return { selector, text };
}

async function problemOf(doing: () => Promise<unknown>): Promise<ProblemError['problem']> {
  const error = await doing().catch((reason: unknown) => reason);
  if (error instanceof ProblemError) return error.problem;
  throw new Error('it was not refused', { cause: error });
}

const figures = (cpuS: number) =>
  `process_cpu_seconds_total ${cpuS}\nprocess_resident_memory_bytes 50000000\n`;

test('what an idle target uses from reading to reading is known, and subtracted', async () => {
  let scrapes = 0;
  const readings = await open((_, response) => void response.end(figures(++scrapes * 0.002)));
  const before = await readings.readCpu();
  const after = await readings.readCpu();
  readings.close();
  expect(readings.remote?.describe().idleCpuUs).toBeCloseTo(2000, 0);
  expect((after?.baseline ?? 0) - (before?.baseline ?? 0)).toBeCloseTo(0, 0);
});

test('it is asked with a token where it wants one, and says so of a wrong one without repeating it', async () => {
  const answer: RequestListener = (request, response) => {
    const { authorization } = request.headers;
    response.statusCode = authorization === 'Bearer right-token' ? 200 : 401;
    response.end(figures(1));
  };
  (await open(answer, 'right-token')).close();
  const wrong = await problemOf(() => open(answer, 'wrong-token'));
  expect(wrong).toMatchObject({
    code: 'exporter_unusable',
    detail: expect.stringMatching(/refuses the token \(401\)/),
  });
  expect(JSON.stringify(wrong)).not.toContain('wrong-token');
  expect(await problemOf(() => open(answer))).toMatchObject({
    detail: expect.stringMatching(/wants a bearer token \(401\)/),
    errors: [{ field: 'secrets.exporter_token' }],
  });
});

test.each<[string, RequestListener, string, RegExp]>([
  [
    'redirects',
    (_, to) => void to.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    'exporter_unusable',
    /redirects \(302\), which is not followed/,
  ],
  ['is not there', (_, to) => void to.writeHead(404).end(), 'exporter_unusable', /answers 404/],
  [
    'shows a page',
    (_, to) => void to.end('<html>process_cpu_seconds_total</html>'),
    'exporter_unusable',
    /has no process_cpu_seconds_total/,
  ],
  [
    'shows no number',
    (_, to) => void to.end('process_cpu_seconds_total NaN\n'),
    'exporter_unusable',
    /no readable value/,
  ],
  ['sends without an end', (_, to) => flood(to), 'exporter_unusable', /more than 20 MB/],
  ['hangs up', (request) => void request.socket.destroy(), 'exporter_unreachable', /closed the connection/],
])('an exporter that %s is refused with the reason', async (_, answer, code, detail) => {
  expect(await problemOf(() => open(answer))).toMatchObject({ code, detail: expect.stringMatching(detail) });
});

test('an exporter that answers after 20 s, or goes on and on, is given up after 5 s', async () => {
  const slow: RequestListener = (_, response) => {
    const timer = setTimeout(() => response.end(figures(1)), 20_000);
    response.once('close', () => clearTimeout(timer));
  };
  const endless: RequestListener = (_, response) => {
    const timer = setInterval(() => response.write('# \n'), 100);
    response.once('close', () => clearInterval(timer));
  };
  const problems = await Promise.all([slow, endless].map((answer) => problemOf(() => open(answer))));
  expect(problems).toMatchObject(
    ['answer', 'finish its answer'].map((what) => ({
      code: 'exporter_unreachable',
      detail: `The exporter at http://localhost/metrics did not ${what} within 5 s.`,
    })),
  );
});

test('a counter that goes back is another process', async () => {
  let scrapes = 0;
  const readings = await open((_, response) => void response.end(figures(++scrapes > 11 ? 1 : 100)));
  expect(await problemOf(() => readings.readCpu())).toMatchObject({ code: 'target_died' });
  readings.close();
});

function flood(to: Parameters<RequestListener>[1]): void {
  const chunk = Buffer.alloc(1_000_000, '# \n');
  const more = () => {
    while (!to.destroyed && to.write(chunk));
    if (!to.destroyed) to.once('drain', more);
  };
  more();
}
