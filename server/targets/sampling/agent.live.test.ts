/** Protects readings from an agent: they are the target's own, and whatever else answers in its place is noticed and named. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createServer as createSecureServer, connect as secureConnect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentAt } from '../../../shared/target/readings.ts';
import { type AgentInTest, startAgentInTest } from '../../testing/agent-in-test.ts';
import type { WorkloadOrder, WorkloadReport } from '../../testing/workload.ts';
import { agentProtocol, readLines, seal, sealKey, unseal } from './agent-protocol.ts';
import { connectToAgent, openAgentReadings } from './agent-readings.ts';

let workload: ChildProcess;
let agent: AgentInTest;

beforeAll(async () => {
  workload = fork(new URL('../../testing/workload.ts', import.meta.url));
  await tell({ kind: 'report' });
  agent = await startAgentInTest(['--pid', String(workload.pid)]);
});
afterAll(async () => {
  await agent.stop();
  workload.disconnect();
});

async function tell(order: WorkloadOrder): Promise<WorkloadReport> {
  workload.send(order);
  const [report] = await once(workload, 'message');
  return report;
}

/** Why the connection, or its first reading, fails. */
async function problemOf(at: AgentAt, token = agent.token): Promise<unknown> {
  const connection = await connectToAgent(at, token).catch((error) => error);
  if (connection instanceof Error) return connection;
  const failure = await connection.read('turn').catch((error: unknown) => error);
  connection.close();
  return failure;
}

test('CPU and memory are what the target says of itself', async () => {
  const connection = await connectToAgent(agent.at, agent.token);
  const reportBefore = await tell({ kind: 'report' });
  const before = await connection.read('edge');
  const reportAfter = await tell({ kind: 'burn', cpuMs: 300 });
  const after = await connection.read('edge');
  const turn = await connection.read('turn');
  connection.close();
  const cpuUs = after.cpuUs - before.cpuUs;
  const witnessUs = reportAfter.cpuUs - reportBefore.cpuUs;
  expect(cpuUs).toBeGreaterThan(290_000);
  expect(Math.abs(cpuUs - witnessUs)).toBeLessThan(10_000 + 0.02 * witnessUs);
  expect(after.whole?.cpuTickUs ?? 0).toBeGreaterThan(before.whole?.cpuTickUs ?? 0);
  expect(Math.abs((after.rssBytes ?? 0) / reportAfter.rssBytes - 1)).toBeLessThan(0.1);
  expect((after.host?.busyUs ?? 0) - (before.host?.busyUs ?? 0)).toBeGreaterThan(200_000);
  expect(after.atUs - before.atUs).toBeGreaterThan(290_000);
  expect(turn).toMatchObject({ rssBytes: null, host: null, whole: null });
  expect(turn.roundTripUs).toBeGreaterThan(0);
});

test('key and token are readable by their owner only, and stay the same', async () => {
  expect(statSync(`${agent.tokenFile}.pem`).mode & 0o777).toBe(0o600);
  expect(statSync(agent.tokenFile).mode & 0o777).toBe(0o600);
  expect(agent.token).toHaveLength(64);
  expect(readFileSync(`${agent.tokenFile}.pem`, 'utf8')).toContain('BEGIN PRIVATE KEY');
});

test('a certificate that is not the pinned one', async () => {
  const fingerprint = agent.at.fingerprint.replace(/^../, (byte) => (byte === '00' ? '01' : '00'));
  expect(await problemOf({ ...agent.at, fingerprint })).toMatchObject({
    problem: {
      code: 'agent_untrusted',
      detail: expect.stringContaining(`its SHA-256 is ${agent.at.fingerprint}`),
    },
  });
});

test('another token', async () => {
  expect(await problemOf(agent.at, agent.token.replaceAll(/./g, '0'))).toMatchObject({
    problem: { code: 'agent_untrusted', detail: `The agent at ${agent.at.name} has another token.` },
  });
});

test('nothing listens there', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  expect(await problemOf({ ...agent.at, port, name: 'here' })).toMatchObject({
    problem: { code: 'agent_unreachable', detail: 'The agent at here is not listening.' },
  });
});

const impostors: Server[] = [];
afterAll(() => {
  for (const server of impostors) server.close();
});

/** An impostor that has stolen the agent's key, and sends what the test gives it. */
async function impostor(answer: (socket: TLSSocket, line: string) => void, greeting: object = {}) {
  const pem = readFileSync(`${agent.tokenFile}.pem`);
  const nonce = '0'.repeat(32);
  const server = createSecureServer({ key: pem, cert: pem }, (socket) => {
    socket.on('error', () => {});
    readLines(socket, (line) => answer(socket, line));
    const usual = { agent: 'tls-toll', protocol: agentProtocol, nonce, mostPerS: 100 };
    socket.write(`${JSON.stringify({ ...usual, ...greeting })}\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  impostors.push(server);
  const { port } = server.address() as AddressInfo;
  return {
    at: { ...agent.at, port, name: 'impostor' },
    keyOf: (socket: TLSSocket) => sealKey(agent.token, { nonce }, socket),
  };
}

/** It proves nothing but its key. */
async function impostorAtTls(meet: (socket: TLSSocket) => void): Promise<AgentAt> {
  const pem = readFileSync(`${agent.tokenFile}.pem`);
  const server = createSecureServer({ key: pem, cert: pem }, (socket) => {
    socket.on('error', () => {});
    meet(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  impostors.push(server);
  return { ...agent.at, port: (server.address() as AddressInfo).port, name: 'impostor' };
}

/** It has key and token, and answers so late, from that question on. */
async function slowAgent(lateMs: number, from: number) {
  let questions = 0;
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const fake = await impostor((socket, line) => {
    const isLate = questions++ >= from;
    if (isLate) asked.resolve();
    if (questions === 1) socket.once('close', left.resolve);
    const key = fake.keyOf(socket);
    const { nonce } = JSON.parse(unseal(key, 'dashboard', line) ?? '');
    const answer = `${seal(key, 'agent', JSON.stringify({ nonce, reading }))}\n`;
    setTimeout(() => socket.write(answer), isLate ? lateMs : 0);
  });
  return { at: fake.at, asked: asked.promise, left: left.promise };
}

const reading = { atUs: 1, cpuUs: 1, rssBytes: null, host: null, whole: null };

test('a forged answer, made with the key but without the token', async () => {
  const fake = await impostor((socket) => {
    const said = JSON.stringify({ nonce: '0'.repeat(32), reading });
    socket.write(`${seal(Buffer.alloc(32), 'agent', said)}\n`);
  });
  expect(await problemOf(fake.at)).toMatchObject({
    problem: {
      code: 'agent_untrusted',
      detail: 'The agent at impostor sent an answer that was not made with the token.',
    },
  });
});

test('a replayed answer, good for the question before', async () => {
  let first = '';
  const fake = await impostor((socket, line) => {
    const key = fake.keyOf(socket);
    const { nonce } = JSON.parse(unseal(key, 'dashboard', line) ?? '');
    first ||= `${seal(key, 'agent', JSON.stringify({ nonce, reading }))}\n`;
    socket.write(first);
  });
  expect(await problemOf(fake.at)).toMatchObject({
    problem: {
      code: 'agent_untrusted',
      detail: 'The agent at impostor sent the answer to another question.',
    },
  });
});

test('a foreign answer, passed on from the real agent over another connection', async () => {
  const fake = await impostor((socket, line) => {
    const real = secureConnect({ host: agent.at.address, port: agent.at.port, rejectUnauthorized: false });
    real.on('error', () => {});
    readLines(real, (said) => {
      if (said.includes('"agent"')) real.write(`${line}\n`);
      else socket.end(`${said}\n`);
    });
    socket.once('close', () => real.destroy());
  });
  // The real agent sees a question that was sealed for another connection, and refuses it.
  expect(await problemOf(fake.at)).toMatchObject({
    problem: { code: 'agent_untrusted', detail: 'The agent at impostor has another token.' },
  });
});

test('an agent of another version', async () => {
  const fake = await impostor(() => {}, { protocol: agentProtocol + 1 });
  expect(await problemOf(fake.at)).toMatchObject({
    problem: {
      code: 'agent_version',
      detail: `The agent at impostor speaks version ${agentProtocol + 1} of the protocol, and this dashboard version ${agentProtocol}.`,
    },
  });
});

test('an agent that dies halfway, and a target that has ended', async () => {
  const target = fork(new URL('../../testing/workload.ts', import.meta.url));
  await once(target, 'spawn');
  const other = await startAgentInTest(['--pid', String(target.pid)]);
  const connection = await connectToAgent(other.at, other.token);
  await connection.read('edge');
  target.kill('SIGKILL');
  await once(target, 'exit');
  await expect(connection.read('edge')).rejects.toMatchObject({
    problem: {
      code: 'target_died',
      detail: `The agent at ${other.at.name}: The target’s process ${target.pid} has ended.`,
    },
  });
  await other.stop();
  await expect(connection.read('edge')).rejects.toMatchObject({
    problem: { code: 'agent_unreachable', detail: `The agent at ${other.at.name} closed the connection.` },
  });
});

test('who has no token is hung up on, and takes no place for long', async () => {
  const noise = secureConnect({ host: agent.at.address, port: agent.at.port, rejectUnauthorized: false });
  noise.on('error', () => {});
  await once(noise, 'secureConnect');
  noise.write(`${'x'.repeat(100_000)}\n`);
  await new Promise((resolve) => noise.once('close', resolve));
  const connection = await connectToAgent(agent.at, agent.token);
  await expect(connection.read('turn')).resolves.toMatchObject({ rssBytes: null });
  connection.close();
});

test('strangers who stay connected cannot keep out anybody with the token', async () => {
  const strangers: TLSSocket[] = [];
  // One more than there are places for those who have the token.
  while (strangers.length < 5) {
    const options = { host: agent.at.address, port: agent.at.port, rejectUnauthorized: false };
    const stranger = secureConnect(options);
    await once(stranger, 'secureConnect');
    stranger.on('error', () => {});
    strangers.push(stranger);
  }
  const connection = await connectToAgent(agent.at, agent.token);
  await expect(connection.read('turn')).resolves.toMatchObject({ rssBytes: null });
  connection.close();
  for (const each of strangers) each.destroy();
});

test('an agent that says what it was not asked', async () => {
  const fake = await impostor((socket) => void socket.write('{}\n'.repeat(1000)));
  expect(await problemOf(fake.at)).toMatchObject({ problem: { code: 'agent_untrusted' } });
});

test('an agent that greets with garbage, or with gigabytes on one line', async () => {
  const sent: number[] = [];
  const lies = [Buffer.from('HTTP/1.1 400 Bad Request\r\n'), Buffer.alloc(1 << 20, 'x')];
  for (const lie of lies) {
    const at = await impostorAtTls((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write(lie));
        if (!socket.destroyed) socket.once('drain', more);
      };
      socket.once('close', () => sent.push(socket.bytesWritten - socket.writableLength));
      more();
    });
    expect(await problemOf(at)).toMatchObject({
      problem: { detail: expect.stringMatching(/does not greet as an agent|sends a line without an end/) },
    });
  }
  await expect.poll(() => sent).toHaveLength(2);
  // The buffers of the two kernels, far below what it would have sent.
  expect(Math.max(...sent)).toBeLessThan(50_000_000);
});

describe.concurrent('slow agents and strangers', () => {
  test('an agent that never answers', async () => {
    const fake = await impostor(() => {});
    expect(await problemOf(fake.at)).toMatchObject({
      problem: { code: 'agent_unreachable', detail: 'The agent at impostor did not answer within 5 s.' },
    });
  });

  test('who sends a byte now and then is hung up on as well', async () => {
    const slow = secureConnect({ host: agent.at.address, port: agent.at.port, rejectUnauthorized: false });
    slow.on('error', () => {});
    await once(slow, 'secureConnect');
    const fromMs = performance.now();
    const drip = setInterval(() => slow.write('x'), 200);
    await new Promise((resolve) => slow.once('close', resolve));
    clearInterval(drip);
    expect(performance.now() - fromMs).toBeGreaterThan(4000);
  });

  test('an agent that never finishes its handshake, or sends its greeting byte by byte', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    impostors.push(silent);
    const drip = await impostorAtTls((socket) => {
      const timer = setInterval(() => socket.write('x'), 100);
      socket.once('close', () => clearInterval(timer));
    });
    const { port } = silent.address() as AddressInfo;
    const problems = await Promise.all([problemOf({ ...drip, port }), problemOf(drip)]);
    expect(problems).toMatchObject(
      Array(2).fill({
        problem: { code: 'agent_unreachable', detail: 'The agent at impostor did not greet within 5 s.' },
      }),
    );
  });

  test('an agent that takes a second for each answer', async () => {
    const fake = await slowAgent(1500, 0);
    await expect(openAgentReadings(['direct'], fake.at, agent.token)).rejects.toMatchObject({
      problem: {
        code: 'agent_unreachable',
        detail: expect.stringMatching(/^The agent at impostor takes 1\.\d s for an answer/),
      },
    });
    await fake.left;
  });
});

test('whoever stops waiting for a slow agent hangs up on it', async () => {
  const fake = await slowAgent(4000, 3);
  const waiting = new AbortController();
  const opening = openAgentReadings(['direct'], fake.at, agent.token, waiting.signal);
  await fake.asked;
  waiting.abort(new Error('canceled'));
  await expect(opening).rejects.toThrow('canceled');
  await fake.left;
});

test('a target that ends while its agent is tried out keeps no place there', async () => {
  let answers = 0;
  const left = Promise.withResolvers<void>();
  const fake = await impostor((socket, line) => {
    if (answers === 0) socket.once('close', left.resolve);
    const { nonce } = JSON.parse(unseal(fake.keyOf(socket), 'dashboard', line) ?? '');
    const answer = ++answers < 5 ? { nonce, reading } : { nonce, ended: 'It has ended.' };
    socket.write(`${seal(fake.keyOf(socket), 'agent', JSON.stringify(answer))}\n`);
  });
  await expect(openAgentReadings(['direct'], fake.at, agent.token)).rejects.toMatchObject({
    problem: { code: 'target_died' },
  });
  await left.promise;
});

test('an agent without --companions answers nothing of other programs', async () => {
  const connection = await connectToAgent(agent.at, agent.token);
  expect(connection.companions).toBe(false);
  await expect(connection.ask({ every: null }, 'watching')).rejects.toMatchObject({
    problem: { detail: `The agent at ${agent.at.name} did not understand a question.` },
  });
  connection.close();
});

test('an agent with --companions tells what other programs used, by process and then by program', async () => {
  const companion = fork(new URL('../../testing/workload.ts', import.meta.url));
  await once(companion, 'spawn');
  const burn = async (cpuMs: number) => {
    companion.send({ kind: 'burn', cpuMs });
    await once(companion, 'message');
  };
  await burn(1);
  const pid = companion.pid ?? 0;
  const other = await startAgentInTest(['--companions', '--pid', String(workload.pid)]);
  const connection = await connectToAgent(other.at, other.token);
  const gained = async (key: number, cpuMs: number) => {
    await connection.read('turn');
    await burn(cpuMs);
    const { others } = await connection.read('turn');
    return (others?.gainedUs.find(([each]) => each === key)?.[1] ?? 0) / 1000;
  };
  expect(await connection.ask({ every: null }, 'watching')).not.toBeNull();
  expect(await gained(pid, 30)).toBeGreaterThan(29);
  const [target, found] = await connection.ask({ group: [pid] }, 'programs');
  expect([target?.role, target?.pids]).toEqual(['target', [workload.pid]]);
  expect([found?.role, found?.pids, found?.startTicks?.length]).toEqual(['companion', [pid], 1]);
  const programs = [{ pids: [pid], startTicks: found?.startTicks }];
  expect(await connection.ask({ programs }, 'watching')).not.toBeNull();
  const burnt = await gained(0, 30);
  expect(burnt).toBeGreaterThan(29);
  expect(burnt).toBeLessThan(45);
  expect((await connection.read('edge')).others).toMatchObject({ children: [null] });
  companion.kill('SIGKILL');
  await once(companion, 'exit');
  expect((await connection.read('edge')).others).toMatchObject({ ended: 0 });
  await connection.ask({ programs: [] }, 'watching');
  expect((await connection.read('turn')).others).toBeUndefined();
  connection.close();
  await other.stop();
});

test('questions come no faster than the agent answers them', async () => {
  const connection = await connectToAgent(agent.at, agent.token);
  const fromMs = performance.now();
  for (let asked = 0; asked < 20; asked++) await connection.read('turn');
  expect(performance.now() - fromMs).toBeGreaterThan((19 * 1000) / connection.mostPerS);
  connection.close();
});

test('a token file that others may read is refused, without its token', async () => {
  chmodSync(agent.tokenFile, 0o644);
  const { readTokenFile } = await import('../../edge/settings/token-file.ts');
  expect(() => readTokenFile(agent.tokenFile, '--token-file')).toThrow(`others may read ${agent.tokenFile}`);
  chmodSync(agent.tokenFile, 0o600);
  expect(readTokenFile(agent.tokenFile, '--token-file')).toBe(agent.token);
});
