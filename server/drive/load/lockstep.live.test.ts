/** Protects lockstep against real servers: equal shares, counts that agree, and windows that end idle. */
import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { byArm, namesOf } from '../../../shared/base/arms.ts';
import { type TlsProfile, tlsProfileSchema } from '../../../shared/base/tls-profile.ts';
import { type Arm, twoSidesAndTwin } from '../../../shared/base/transport.ts';
import { type ScenarioInput, scenarioSchema } from '../../../shared/scenario/scenario.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { median } from '../../method/statistics/intervals.ts';
import { type Issued, issueAuthority, issueServer } from '../../targets/certificates/issue-certificate.ts';
import type { Configuration, WindowOptions, WindowResult } from './load-messages.ts';
import { type Generator, startGenerator } from './start-generator.ts';

const arms = namesOf(twoSidesAndTwin);

/** Lockstep against real servers: equal shares, whole groups, an end to every wait, and CPU that is the arm's own. */

const hostname = 'shop.localhost';
let generator: Generator;
let authority: Issued;
let identity: { key: string; cert: string };
const opened: Server[] = [];

beforeAll(async () => {
  const hourMs = 3_600_000;
  const validity = { notBefore: new Date(Date.now() - hourMs), notAfter: new Date(Date.now() + hourMs) };
  authority = await issueAuthority('authority in test', validity);
  const { keyPem, certificatePem } = await issueServer([hostname], validity, authority);
  identity = { key: keyPem, cert: certificatePem };
  generator = await startGenerator();
});
afterAll(() => generator.stop());
afterEach(() => {
  for (const server of opened.splice(0)) server.close();
});

const page: ScenarioInput = { name: 'page', steps: [{ name: 'page', method: 'GET', path: '/' }] };

type Asked = Partial<Omit<Configuration, 'listeners' | 'scenario' | 'tls'>> & {
  scenario?: ScenarioInput;
  tls?: Partial<TlsProfile>;
};

type Target = {
  /** The arm of each request, in the order in which they came. */
  seen: Arm[];
  sockets: Record<Arm, Set<Socket>>;
  handshakesResumed: () => number;
};

/** A server an arm, all in this process; `listeners` says what each does with a request. */
async function pointAt(listener: (arm: Arm) => RequestListener, asked: Asked = {}): Promise<Target> {
  const { scenario = page, tls = {}, ...options } = asked;
  const seen: Arm[] = [];
  const sockets = byArm(arms, () => new Set<Socket>());
  let resumed = 0;
  const each = await Promise.all(
    arms.map(async (arm) => {
      const answer = listener(arm);
      const noting: RequestListener = (request, response) => {
        seen.push(arm);
        request.resume();
        answer(request, response);
      };
      const idle = { keepAliveTimeout: 60_000 };
      const server =
        arm === 'comparison' ? createHttps({ ...identity, ...idle }, noting) : createHttp(idle, noting);
      server.on('secureConnection', (socket: TLSSocket) => {
        if (socket.isSessionReused()) resumed++;
      });
      server.on('connection', (socket: Socket) => sockets[arm].add(socket));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      opened.push(server);
      return { arm, server };
    }),
  );
  await generator.configure({
    listeners: each.map(({ arm, server }): Listener => {
      const { port } = server.address() as AddressInfo;
      const secure = arm === 'comparison';
      const ca = secure ? authority.certificatePem : null;
      const transport = secure ? 'https' : 'http';
      return { arm, transport, hostname, address: '127.0.0.1', port, ca, pid: null };
    }),
    scenario: scenarioSchema.parse(scenario),
    tls: tlsProfileSchema.parse(tls),
    connectionPolicy: 'keep-alive',
    connections: 4,
    requestTimeoutMs: 60_000,
    ...options,
  });
  for (const arm of arms) {
    await generator.prepare(arm);
    await generator.clear(arm);
  }
  return {
    seen,
    sockets,
    handshakesResumed: () => resumed,
  };
}

const light: RequestListener = (_request, response) => {
  response.end('fine');
};

function window(options: Partial<WindowOptions<Arm>> = {}): Promise<WindowResult<Arm>> {
  return generator.window({
    arms,
    durationMs: 300,
    users: 1,
    turnTransactions: 1,
    trees: null,
    seed: 7,
    firstRow: 0,
    ...options,
  });
}

const latenciesOf = ({ latenciesUs }: WindowResult<Arm>, arm: Arm) =>
  [...latenciesUs].filter((_, index) => index % arms.length === arms.indexOf(arm));

const count = (seen: readonly Arm[], arm: Arm) => seen.filter((each) => each === arm).length;

test.each([1, 4])(
  'every group has one turn of %i transactions an arm, in random orders, and both ends count the same',
  async (turnTransactions) => {
    const { seen } = await pointAt(() => light);
    const result = await window({ turnTransactions, durationMs: 1000 });
    const groupSize = arms.length * turnTransactions;
    const orders = new Set<string>();
    for (let at = 0; at < seen.length; at += groupSize) {
      const turns = seen.slice(at, at + groupSize).filter((_, index) => index % turnTransactions === 0);
      expect(turns.toSorted()).toEqual(arms.toSorted());
      for (const arm of arms) expect(count(seen.slice(at, at + groupSize), arm)).toBe(turnTransactions);
      orders.add(turns.join());
    }
    expect(result.groups).toBeGreaterThan(40);
    expect(orders.size).toBe(6);
    expect(seen).toHaveLength(result.groups * groupSize);
    expect(result.latenciesUs).toHaveLength(result.groups * arms.length);
    for (const arm of arms) {
      expect(result.arms[arm]).toEqual({ transactions: count(seen, arm), cpuUs: null });
      const { started, succeeded, requests, errors } = await generator.collect(arm);
      expect([started, succeeded, requests]).toEqual(Array(3).fill(count(seen, arm)));
      expect(errors).toEqual([]);
    }
  },
);

test('orders come of the seed, and another seed gives others', async () => {
  const { seen } = await pointAt(() => light);
  const orderOf = async (seed: number) => {
    seen.length = 0;
    await window({ seed });
    return seen.slice(0, 30).join();
  };
  const first = await orderOf(1);
  expect(await orderOf(2)).not.toBe(first);
  expect(await orderOf(1)).toBe(first);
});

test('groups with a failure are left out, and counted as errors', async () => {
  let failed = 0;
  let answered = 0;
  const { seen } = await pointAt((arm) => (request, response) => {
    if (arm === 'comparison' && ++answered % 3 === 0) {
      failed++;
      response.statusCode = 500;
    }
    light(request, response);
  });
  const result = await window({ durationMs: 500 });
  expect(failed).toBeGreaterThan(0);
  expect(result.latenciesUs).toHaveLength((result.groups - failed) * arms.length);
  expect([...result.latenciesUs].every((us) => us > 0)).toBe(true);
  expect(result.arms.comparison.transactions).toBe(count(seen, 'comparison') - failed);
  for (const arm of ['baseline', 'twin'] as const)
    expect(result.arms[arm].transactions).toBe(count(seen, arm));
  const { errors } = await generator.collect('comparison');
  expect(errors).toMatchObject([{ outcome: 'unexpected_status', count: failed }]);
});

test('an answer that never comes ends by the request timeout, and the next window is well', async () => {
  let stalls = true;
  await pointAt(
    (arm) => (request, response) => {
      if (arm === 'twin' && stalls) stalls = false;
      else light(request, response);
    },
    { requestTimeoutMs: 500 },
  );
  await window();
  const { errors } = await generator.collect('twin');
  expect(errors).toMatchObject([{ outcome: 'timed_out', count: 1 }]);
  for (const arm of arms) await generator.clear(arm);
  const next = await window();
  expect(next.latenciesUs).toHaveLength(next.groups * arms.length);
  for (const arm of arms) expect((await generator.collect(arm)).errors).toEqual([]);
});

test('a window ends with nothing in flight, also of several users', async () => {
  let inFlight = 0;
  let most = 0;
  await pointAt(() => (request, response) => {
    most = Math.max(most, ++inFlight);
    setTimeout(() => {
      inFlight--;
      light(request, response);
    }, 20);
  });
  const result = await window({ users: 3 });
  expect(inFlight).toBe(0);
  expect(most).toBe(3);
  expect(result.latenciesUs).toHaveLength(result.groups * arms.length);
});

test('where the process has fewer users than asked for, those go', async () => {
  await pointAt(() => light, { connections: 2 });
  const result = await window({ users: 8 });
  expect(result.groups).toBeGreaterThan(0);
});

test('latencies are those of the server, without think times', async () => {
  const delayMs: Record<Arm, number> = { baseline: 10, comparison: 60, twin: 10 };
  await pointAt((arm) => (request, response) => setTimeout(() => light(request, response), delayMs[arm]), {
    scenario: { name: 'slow reader', steps: [{ name: 'page', method: 'GET', path: '/', thinkTimeMs: 100 }] },
  });
  const result = await window({ durationMs: 3000 });
  const medians = arms.map((arm) => median(latenciesOf(result, arm)) / 1000);
  for (const [index, arm] of arms.entries()) {
    // Timers of the server may fire within the millisecond before.
    expect(medians[index]).toBeGreaterThan(delayMs[arm] - 1);
    expect(medians[index]).toBeLessThan(delayMs[arm] + 40);
  }
});

test('a connection that the server closed between two turns is opened again', async () => {
  const { sockets } = await pointAt(() => light);
  await window();
  for (const socket of sockets.comparison) socket.end();
  await Promise.all([...sockets.comparison].map((socket) => socket.closed || once(socket, 'close')));
  const before = sockets.comparison.size;
  const result = await window();
  expect(result.latenciesUs).toHaveLength(result.groups * arms.length);
  expect(sockets.comparison.size).toBe(before + 1);
  expect((await generator.collect('comparison')).errors).toEqual([]);
});

test('with a connection per transaction each arm opens as many, and resumes the share that was asked for', async () => {
  const { seen, sockets, handshakesResumed } = await pointAt(() => light, {
    connectionPolicy: 'connection-per-transaction',
    tls: { resumption: 'mix', resumedShare: 0.5 },
  });
  const result = await window({ durationMs: 1500 });
  expect(result.latenciesUs).toHaveLength(result.groups * arms.length);
  for (const arm of arms) {
    const load = await generator.collect(arm);
    expect(load.connectionsOpened).toBe(count(seen, arm));
    expect(sockets[arm].size).toBe(count(seen, arm));
    expect(load.errors).toEqual([]);
  }
  const { handshakesFull, handshakesResumed: resumed } = await generator.collect('comparison');
  expect(resumed).toBe(handshakesResumed());
  expect(resumed / (handshakesFull + resumed)).toBeGreaterThan(0.2);
  expect(resumed / (handshakesFull + resumed)).toBeLessThan(0.8);
});

test('every arm opens another connection after a fixed number of requests', async () => {
  const { seen, sockets } = await pointAt(() => light, {
    connectionPolicy: 'requests-per-connection',
    requestsPerConnection: 3,
    connections: 1,
  });
  await window();
  for (const arm of arms) {
    expect((await generator.collect(arm)).errors).toEqual([]);
    expect(sockets[arm].size).toBe(Math.ceil(count(seen, arm) / 3));
  }
});

test('the arms of a group take the same row of the data; groups and transactions of a burst take successive rows, or one where that is asked for', async () => {
  const rows: Record<Arm, string[]> = { baseline: [], comparison: [], twin: [] };
  await pointAt(
    (arm) => (request, response) => {
      rows[arm].push(request.url ?? '');
      light(request, response);
    },
    {
      scenario: {
        name: 'data',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the scenario
        steps: [{ name: 'item', method: 'GET', path: '/${item}' }],
        data: { columns: ['item'], rows: [['a'], ['b'], ['c']] },
      },
    },
  );
  await window({ firstRow: 1 });
  expect(rows.baseline.slice(0, 4)).toEqual(['/b', '/c', '/a', '/b']);
  expect(rows.comparison).toEqual(rows.baseline);
  expect(rows.twin).toEqual(rows.baseline);
  for (const seen of Object.values(rows)) seen.length = 0;
  await window({ firstRow: 2, sameRow: true });
  expect(new Set([...rows.baseline, ...rows.comparison, ...rows.twin])).toEqual(new Set(['/c']));
  rows.baseline.length = 0;
  const slot = { durationMs: 100, discardMs: 0, ratePerS: null, firstRow: 1 };
  await generator.burst('baseline', slot);
  // Requests of several connections arrive in any order.
  const counts = ['/a', '/b', '/c'].map((row) => rows.baseline.filter((each) => each === row).length);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThan(3);
  rows.baseline.length = 0;
  await generator.burst('baseline', { ...slot, sameRow: true });
  expect(rows.baseline.length).toBeGreaterThan(4);
  expect(new Set(rows.baseline)).toEqual(new Set(['/b']));
});

function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function burn(ms: number): void {
  const until = cpuUs() + ms * 1000;
  while (cpuUs() < until);
}

test.each([
  [
    'before it answers',
    (answer: () => void) => {
      burn(2);
      answer();
    },
  ],
  [
    'after its answer',
    (answer: () => void) => {
      answer();
      setImmediate(burn, 2);
    },
  ],
] as const)(
  'in one process with all listeners, CPU that an arm burns %s is not counted for the others',
  async (_when, burning) => {
    await pointAt((arm) => (request, response) => {
      if (arm === 'comparison') burning(() => light(request, response));
      else light(request, response);
    });
    const own = [process.pid];
    const trees = byArm(arms, () => own);
    await window({ trees, turnTransactions: 2 });
    const { arms: measured } = await window({ trees, turnTransactions: 2, durationMs: 1500 });
    const each = arms.map((arm) => (measured[arm].cpuUs ?? 0) / measured[arm].transactions);
    const [baseline = 0, comparison = 0, twin = 0] = each;
    expect(comparison).toBeGreaterThan(1900);
    // Light ones take some 0.2 ms: nothing of the other's work is counted for them.
    expect(Math.max(baseline, twin)).toBeLessThan(1000);
  },
);

test('where CPU is read at every turn, one of slow transactions has fewer, as many on every arm', async () => {
  const { seen } = await pointAt(
    () => (_request, response) => void setTimeout(() => response.end('late'), 100),
  );
  const own = [process.pid];
  const trees = byArm(arms, () => own);
  const { groups, latenciesUs } = await window({ trees, turnTransactions: 5 });
  for (const arm of arms) expect(count(seen, arm)).toBe(groups);
  expect(latenciesUs).toHaveLength(groups * arms.length);
});
