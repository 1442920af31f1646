/** Protects the way in and the leash of a generator: who may join, what ends its load, and that nothing it started stays. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { tlsProfileSchema } from '../../../shared/base/tls-profile.ts';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { capsSchema, type Listener } from '../../../shared/target/target.ts';
import { monotonicUs } from '../../base/process/cpu.ts';
import { channelKey, connectPinned } from '../../base/wire/pinned-channel.ts';
import { openOwnIdentity } from '../../targets/certificates/certificate-authority.ts';
import { openEchoServer } from '../../testing/echo-server.ts';
import { joinSimulated } from '../../testing/join-simulated.ts';
import { untilAsync } from '../../testing/until-async.ts';
import { startGeneratorProcess } from '../load/start-generator.ts';
import { parseAllowed } from './allowed-targets.ts';
import { type ServedHosts, serveGeneratorHosts } from './generator-hosts.ts';
import {
  type BeatReply,
  encodeFrame,
  type HostReply,
  leaseMs,
  type Order,
  orderLimits,
  proofOf,
  readFrames,
} from './host-protocol.ts';
import { type JoinOptions, joinDashboard, OrdersOfHost } from './join-dashboard.ts';
import { takeGeneratorHosts } from './take-generator-hosts.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-join-'));
let identity: Awaited<ReturnType<typeof openOwnIdentity>>;
let pool: ServedHosts;
const leaving: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  identity = await openOwnIdentity(join(directory, 'key.pem'), 'TLS Toll generators');
  pool = await serve(0);
});
afterEach(async () => {
  for (const leave of leaving.splice(0)) await leave();
  await untilAsync(names, (all) => all.length === 0);
});
afterAll(async () => {
  await pool.close();
  rmSync(directory, { recursive: true });
});

const serve = (port: number) =>
  serveGeneratorHosts({ host: '127.0.0.1', port, token: 'right', identity, version: '0.1.0', own: () => [] });

/** A generator that joins as a command would, and what it says. */
function joinAs(name: string, change: Partial<JoinOptions & JoinOptions['at']> = {}) {
  const stop = new AbortController();
  const said: string[] = [];
  const { fingerprint = identity.fingerprint, ...others } = change;
  const over = joinDashboard({
    at: { address: '127.0.0.1', port: pool.port, fingerprint, name: 'toll' },
    ...{ token: 'right', version: '0.1.0', name, cores: 2, allow: [] },
    ...{ lookUp: async () => [], signal: stop.signal, say: (sentence) => said.push(sentence) },
    ...others,
  });
  const leave = async () => {
    stop.abort();
    await over;
  };
  leaving.push(() => leave().catch(() => {}));
  return { said, over, leave };
}

const names = async () => pool.list().map(({ name }) => name);

test('one that joins is listed, leaves when it is stopped, and joins again when the dashboard is back', async () => {
  const { said, leave } = joinAs('gen-1');
  await untilAsync(
    async () => pool.free().length,
    (count) => count === 1,
  );
  expect(pool.list()).toMatchObject([
    { name: 'gen-1', address: '127.0.0.1', cores: 2, state: 'idle', clock: { offsetMs: expect.any(Number) } },
  ]);
  const { port } = pool;
  await pool.close();
  pool = await serve(port);
  // The host hears of it after the dashboard.
  await untilAsync(
    async () => said.length,
    (count) => count === 3,
  );
  expect(await names()).toEqual(['gen-1']);
  expect(said).toEqual([
    'Joined toll. It may load nothing: name a host with --allow.',
    expect.stringMatching(/^The dashboard at toll .*\. Trying again every second\.$/),
    expect.stringMatching(/^Joined toll\./),
  ]);
  await leave();
  await untilAsync(names, (all) => all.length === 0);
});

test.each([
  ['another token', { token: 'wrong' }, /refused this generator: it has another token/],
  ['another version', { version: '0.2.0' }, /it has version 0.1.0 of TLS Toll, and this generator 0.2.0/],
  ['another key', { fingerprint: 'AB:CD' }, /has another key: its SHA-256 is/],
])('one with %s learns why, and does not ask again', async (_, change, words) => {
  await expect(joinAs('gen-1', change).over).rejects.toMatchObject({
    problem: { code: 'join_refused', detail: expect.stringMatching(words) },
  });
  expect(pool.list()).toEqual([]);
});

test('a second one of the same name waits for the first', async () => {
  const first = joinAs('gen-1');
  await untilAsync(names, (all) => all.length === 1);
  const { said } = joinAs('gen-1');
  await untilAsync(
    async () => said,
    (all) => all.length === 1,
  );
  expect(said[0]).toMatch(/does not take it yet: another generator with the name gen-1 is connected/);
  await first.leave();
  await untilAsync(
    async () => said,
    (all) => all.some((each) => each.startsWith('Joined')),
  );
});

test('whoever sends something else than messages is hung up on', async () => {
  const ends: string[] = [];
  const at = { address: '127.0.0.1', port: pool.port, fingerprint: identity.fingerprint };
  for (const bytes of [Buffer.from('GET / HTTP/1.1\r\n\r\n'), encodeFrame({ hello: 'there' })]) {
    const socket = connectPinned(at, { untrusted: () => {}, unreachable: (what) => ends.push(what) });
    socket.resume().once('secureConnect', () => socket.write(bytes));
  }
  await untilAsync(
    async () => ends.length,
    (count) => count === 2,
  );
  expect(pool.list()).toEqual([]);
});

type Greeting = { nonce: string };
type ByHand = { token?: string; allow?: string[]; hellos?: number };

function answerToBeat(order: Order): object | null {
  return order.type === 'beat' ? { beat: order.beat, atUs: monotonicUs(), wallMs: Date.now() } : null;
}

/** A host that has the token and answers orders with `reply`; null for no answer. */
function joinByHand(
  name: string,
  reply: (order: Order) => object | null = answerToBeat,
  { token = 'right', allow = [], hellos = 1 }: ByHand = {},
) {
  const welcomes: object[] = [];
  let ended = false;
  const at = { address: '127.0.0.1', port: pool.port, fingerprint: identity.fingerprint };
  const socket = connectPinned(at, { untrusted: () => {}, unreachable: () => (ended = true) });
  leaving.push(async () => socket.destroy());
  let greeting: Greeting | null = null;
  readFrames(
    socket,
    () => orderLimits,
    (content) => {
      if (greeting === null) {
        greeting = content as Greeting;
        const proof = proofOf(channelKey(token, 'generator', greeting.nonce, socket), name);
        const hello = encodeFrame({ version: '0.1.0', name, cores: 1, allow, proof });
        for (let nth = 0; nth < hellos; nth++) socket.write(hello);
        return;
      }
      const { type } = content as { type?: string };
      if (type === undefined) return void welcomes.push(content as object);
      const answer = reply(content as Order);
      if (answer !== null) socket.write(encodeFrame(answer));
    },
  );
  return { welcomes, hasEnded: async () => ended };
}

test.each<[string, Parameters<typeof joinByHand>[1], ByHand]>([
  ['whose allowed hosts hold an escape sequence', answerToBeat, { allow: ['\u001b[2J'] }],
  [
    'who answers a beat twice',
    (order) => answerToBeat(order.type === 'beat' ? { ...order, beat: 1 } : order),
    {},
  ],
  ['whose clock is no number', (order) => ({ ...answerToBeat(order), atUs: 'soon' }), {}],
])('one %s is hung up on', async (_, reply, choice) => {
  const { hasEnded } = joinByHand('gen-1', reply, choice);
  await untilAsync(hasEnded, Boolean);
});

test('one that was sent away and asks again on the same connection stays out', async () => {
  const first = joinByHand('gen-1');
  await untilAsync(names, (all) => all.length === 1);
  const second = joinByHand('gen-1', undefined, { hellos: 2 });
  await untilAsync(second.hasEnded, Boolean);
  expect(second.welcomes).toEqual([{ later: expect.stringContaining('gen-1 is connected') }]);
  expect(first.welcomes).toHaveLength(1);
});

test('a token of one run takes no name from the hosts with another token', async () => {
  const { pool: invited, close } = pool.invite('of a run');
  joinByHand('gen-1', undefined, { token: 'of a run' });
  await untilAsync(
    async () => invited.free().length,
    (count) => count === 1,
  );
  joinByHand('gen-1');
  await untilAsync(
    async () => pool.free().length,
    (count) => count === 1,
  );
  close();
  await untilAsync(names, (all) => all.length === 1);
});

test('what a host says of itself is one line without control characters', async () => {
  joinByHand('gen-1', (order) => {
    if (order.type !== 'take') return answerToBeat(order);
    return { fence: order.fence, call: order.call, problem: '\u001b[2Jno\n  space\u0000 left.\n' };
  });
  await untilAsync(
    async () => pool.free().length,
    (count) => count === 1,
  );
  const { signal } = new AbortController();
  const taking = takeGeneratorHosts(pool, { ...{ count: 1, processes: 1, signal }, onWaiting: () => {} });
  await expect(taking).rejects.toMatchObject({
    problem: { code: 'generator_refused', detail: 'The generator gen-1: [2Jno space left.' },
  });
});

test('a measurement waits for as many hosts as it asks for, and gives them back', async () => {
  joinAs('gen-1');
  await untilAsync(
    async () => pool.free().length,
    (count) => count === 1,
  );
  const waiting: number[] = [];
  const stop = new AbortController();
  const choice = {
    count: 2,
    processes: 4,
    signal: stop.signal,
    onWaiting: (free: number) => waiting.push(free),
  };
  const taking = takeGeneratorHosts(pool, choice);
  joinAs('gen-2', { cores: 1 });
  const taken = await taking;
  expect(waiting).toContain(1);
  expect(taken.processes).toBe(1);
  expect(pool.list().map(({ state }) => state)).toEqual(['busy', 'busy']);
  const another = takeGeneratorHosts(pool, choice);
  const reason = new Error('canceled');
  stop.abort(reason);
  await expect(another).rejects.toBe(reason);
  await expect(taken.collect('baseline')).rejects.toBe(reason);
  expect(pool.free()).toHaveLength(2);
});

test('a run ends when too few hosts have joined in time, and says how many are free', async () => {
  joinByHand('gen-1');
  await untilAsync(
    async () => pool.free().length,
    (count) => count === 1,
  );
  const { signal } = new AbortController();
  const choice = { count: 2, processes: 1, signal, waitS: 0.2, onWaiting: () => {} };
  await expect(takeGeneratorHosts(pool, choice)).rejects.toMatchObject({
    problem: {
      code: 'generators_missing',
      detail: 'The run asks for 2 generator hosts, and 1 is free. It waited 0.2 s.',
    },
  });
});

test.each([
  ['an answer that is not one', () => ({ requests: 1 })],
  ['what is not a message', (socket: TLSSocket) => socket.write('HTTP/1.1 200 OK\r\n\r\n')],
])('a host that sends %s once it is taken is lost', async (_, answer) => {
  const at = { address: '127.0.0.1', port: pool.port, fingerprint: identity.fingerprint };
  const socket = await joinSimulated(at, {
    ...{ token: 'right', name: 'gen-1' },
    answerTo: ({ type }) => (type === 'take' ? undefined : answer(socket)),
  });
  leaving.push(async () => socket.destroy());
  const { signal } = new AbortController();
  const taken = await takeGeneratorHosts(pool, { count: 1, processes: 1, signal, onWaiting: () => {} });
  await expect(taken.collect('baseline')).rejects.toMatchObject({ problem: { code: 'generator_lost' } });
  expect(pool.list()).toEqual([]);
});

/** Orders for a host without a connection, and its answers. */
function ordersOf(allow: string[] = []) {
  const answers: (BeatReply | HostReply)[] = [];
  const said: string[] = [];
  let left = false;
  const allowed = allow.flatMap((text) => {
    const judgement = parseAllowed(text);
    return judgement.valid ? [judgement.allowed] : [];
  });
  const orders = new OrdersOfHost(
    { cores: 2, allow: allowed, lookUp: async () => [], say: (sentence) => said.push(sentence) },
    { own: [], answer: (reply) => answers.push(reply), leave: () => (left = true) },
  );
  leaving.push(() => orders.end());
  let call = 0;
  const replyTo = async (order: { type: 'take' | 'ask'; fence: number } & Record<string, unknown>) => {
    const own = ++call;
    orders.follow({ ...order, call: own } as Parameters<typeof orders.follow>[0]);
    const all = await untilAsync(
      async () => answers.filter((each) => 'call' in each && each.call === own),
      (found) => found.length === 1,
    );
    return all[0] as HostReply;
  };
  const beat = (fence: number) => {
    const beating = setInterval(() => orders.follow({ type: 'beat', beat: 1, fence }), 100);
    leaving.unshift(async () => clearInterval(beating));
  };
  const follow = orders.follow.bind(orders);
  return { said, replyTo, follow, beat, hasLeft: async () => left };
}

const totals = { type: 'ask', process: 0, name: 'totals' } as const;

test('a host follows the newest measurement alone, and starts no more than it offers', async () => {
  const { replyTo, beat } = ordersOf();
  for (const fence of [9, 10]) beat(fence);
  const tooMany = await replyTo({ type: 'take', fence: 8, processes: 3 });
  expect(tooMany.problem).toBe('it offers 2 processes, not 3');
  expect(await replyTo({ type: 'take', fence: 9, processes: 1 })).not.toHaveProperty('problem');
  expect(await replyTo({ ...totals, fence: 9 })).toMatchObject({ answer: { requests: 0 } });
  const older = { problem: 'the order belongs to an earlier run' };
  expect(await replyTo({ ...totals, fence: 8 })).toMatchObject(older);
  expect(await replyTo({ type: 'take', fence: 9, processes: 1 })).toMatchObject(older);
  expect(await replyTo({ type: 'take', fence: 10, processes: 1 })).not.toHaveProperty('problem');
  expect(await replyTo({ ...totals, fence: 9 })).toMatchObject(older);
});

test.each([
  ['does not know', { name: 'constructor' }, /does not know the question/],
  [
    'is told by beats alone',
    { name: 'lease', question: { untilUs: 1e15 } },
    /does not know the question lease/,
  ],
  [
    'cannot read',
    { name: 'burst', question: { arm: 'baseline', slot: 'long' } },
    /^slot: must be an object$/,
  ],
  [
    'would read its own processes',
    { name: 'window', question: { trees: { baseline: [1] } } },
    /^trees: must be null$/,
  ],
  ['has no such process for', { process: 5, name: 'totals' }, /earlier run/],
])('a host refuses what it %s', async (_, asked, words) => {
  const { replyTo, beat } = ordersOf();
  beat(1);
  await replyTo({ type: 'take', fence: 1, processes: 1 });
  const reply = await replyTo({ type: 'ask', fence: 1, process: 0, ...asked });
  expect(reply.problem).toMatch(words);
});

test('a host that hears no beat ends its processes and its connection', async () => {
  const { replyTo, hasLeft, said } = ordersOf();
  await replyTo({ type: 'take', fence: 1, processes: 1 });
  await untilAsync(hasLeft, Boolean);
  expect(said.at(-1)).toBe('No word from the dashboard: the load was ended.');
  expect(await replyTo({ ...totals, fence: 1 })).toHaveProperty('problem');
});

test('a host that was stopped ends its load, whatever beats have come meanwhile', async () => {
  const { replyTo, follow, hasLeft } = ordersOf();
  await replyTo({ type: 'take', fence: 1, processes: 1 });
  // Blocks this thread until the lease has ended, like a stopped process.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1.2 * leaseMs);
  follow({ type: 'beat', beat: 1, fence: 1 });
  expect(await hasLeft()).toBe(true);
});

test('a process whose lease is over ends before it sends another request', async () => {
  const echo = await openEchoServer();
  const { ask, pid, ended } = await startGeneratorProcess({ graceMs: 60_000 });
  const listener = {
    ...{
      arm: 'baseline',
      transport: 'http' as const,
      hostname: '127.0.0.1',
      address: '127.0.0.1',
      port: echo.port,
    },
    ...{ ca: null, pid: null, permit: { host: 'x', caps: capsSchema.parse({ requestsPerS: 2 }) } },
  } satisfies Listener;
  await ask('configure', {
    configuration: {
      listeners: [listener],
      scenario: scenarioSchema.parse({ name: 'Page', steps: [{ name: 'Page', method: 'GET', path: '/' }] }),
      tls: tlsProfileSchema.parse({}),
      ...{ connectionPolicy: 'keep-alive', requestsPerConnection: 1, connections: 2, requestTimeoutMs: 5000 },
    },
    share: { index: 0, of: 1 },
  });
  await ask('prepare', { arm: 'baseline', atRate: false });
  const slot = { durationMs: 60_000, discardMs: 0, ratePerS: null };
  const burst = ask('burst', { arm: 'baseline', slot }).catch((error: unknown) => error);
  await untilAsync(
    async () => echo.take().length,
    (count) => count > 0,
  );
  // The next request waits for its turn already.
  await ask('lease', { untilUs: monotonicUs() });
  echo.take();
  expect(await burst).toMatchObject({ problem: { detail: 'The load generator ended (exit code 3).' } });
  expect(await ended).toBe('exit code 3');
  expect(existsSync(`/proc/${pid}`)).toBe(false);
  expect(echo.take()).toEqual([]);
  await echo.close();
});
