/** Protects runs of servers that stand already: a process tree a scheme, one for both, and one that cannot be read. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { namesOf } from '../../../../shared/base/arms.ts';
import { twoSidesAndTwin } from '../../../../shared/base/transport.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { type OriginsTarget, originsTargetSchema } from '../../../../shared/target/target.ts';
import { sumOf } from '../../../method/statistics/mean.ts';
import { type Authority, openAuthority } from '../../../targets/certificates/certificate-authority.ts';
import { startAgentInTest } from '../../../testing/agent-in-test.ts';
import { briefApparatus } from '../../../testing/brief-plan.ts';
import { freePort } from '../../../testing/free-port.ts';
import { type MeasuredBriefly, measureBriefly } from '../../../testing/measure-briefly.ts';
import { hasNginx, type NginxInTest, startNginxInTest } from '../../../testing/nginx-in-test.ts';
import { hasBuild, leastUs, type ServerBuildName, startBuild } from '../../../testing/server-builds.ts';
import { type Apparatus, realApparatus } from '../../apparatus.ts';
import { refusalOfCpu } from '../refusals.ts';

const arms = namesOf(twoSidesAndTwin);

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-standing-'));
/** Long enough to tell the sides apart, and no longer. */
const told: Partial<Plan> = { epochs: { minimum: 2, maximum: 2 }, lockstepMs: 400 };

let authority: Authority;
beforeAll(async () => {
  authority = await openAuthority(directory);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function nginx(...schemes: ('http' | 'https')[]): Promise<NginxInTest> {
  const started = await startNginxInTest(authority, schemes);
  stops.push(started.stop);
  return started;
}

async function nodeServer(...ports: 'one'[]): Promise<{ child: ChildProcess; target: OriginsTarget }> {
  const program = new URL('../../../testing/foreign-target-process.ts', import.meta.url);
  const child = fork(program, [directory, ...ports]);
  stops.push(() => end(child));
  const [message] = await once(child, 'message');
  return { child, target: originsTargetSchema.parse({ kind: 'origins', ...message }) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function targetAt(httpPort: number, httpsPort: number): OriginsTarget {
  return originsTargetSchema.parse({
    kind: 'origins',
    http: `http://127.0.0.1:${httpPort}`,
    https: `https://127.0.0.1:${httpsPort}`,
    ca: authority.caPem,
  });
}

async function measure(
  target: OriginsTarget,
  choice: Omit<Parameters<typeof measureBriefly>[1], 'directory' | 'plan'> & { plan?: Partial<Plan> } = {},
): Promise<MeasuredBriefly> {
  return measureBriefly(target, { directory, plan: told, ...choice });
}

const inLockstep = ({ blocks }: MeasuredBriefly) => blocks.filter(({ kind }) => kind === 'lockstep');

function expectCpuOfEachSide(measured: MeasuredBriefly): void {
  expect(measured.facts.launches).toHaveLength(1);
  expect(measured.facts.launches[0]?.cpuCheck).not.toEqual([]);
  expect(refusalOfCpu(measured.facts.launches)).toBeNull();
  const lockstep = inLockstep(measured);
  expect(lockstep).toHaveLength(2);
  // 20 kB in TLS records cost a server that only copies a file far more than a tenth. At load, because on a core that others use the
  // CPU of a lone request is mostly that of being scheduled in again.
  const atLoad = measured.blocks.filter(({ kind }) => kind === 'maximum');
  const logs = atLoad.map(({ ratios }) => Math.log(ratios.cpu_at_load?.value ?? Number.NaN));
  expect(logs.reduce((sum, log) => sum + log, 0)).toBeGreaterThan(0);
  for (const { ratios, windows, slots, reasons } of lockstep) {
    expect(reasons).toEqual([]);
    expect(ratios.latency_p50?.value).toBeGreaterThan(0);
    expect(ratios.cpu_lone?.value).toBeGreaterThan(0);
    expect(ratios.cpu_lone?.twinValue).toBeGreaterThan(0);
    for (const arm of arms) {
      const used = windows.reduce((sum, window) => sum + (window.arms[arm].cpuUs ?? Number.NaN), 0);
      expect(slots.find((slot) => slot.arm === arm)?.target?.cpuUs).toBeCloseTo(used, 3);
    }
  }
}

/** Sees no process here, so that every reading is the agent's. */
const blind: Apparatus = { ...briefApparatus, openSampler: () => null };

async function withAgent() {
  const { httpPort, httpsPort, pid } = await nginx('http', 'https');
  const agent = await startAgentInTest(['--port', String(httpPort)]);
  stops.push(agent.stop);
  const { name: address, fingerprint } = agent.at;
  return {
    target: { ...targetAt(httpPort, httpsPort), agent: { address, fingerprint } },
    token: agent.token,
    agent,
    pid,
  };
}

describe.runIf(hasNginx)('nginx', () => {
  test('with a process tree for each scheme', async () => {
    const [plain, secure] = [await nginx('http'), await nginx('https')];
    expectCpuOfEachSide(await measure(targetAt(plain.httpPort, secure.httpsPort)));
  });
  test('with both listeners in one process tree', async () => {
    const { httpPort, httpsPort, pid } = await nginx('http', 'https');
    const measured = await measure(targetAt(httpPort, httpsPort));
    expectCpuOfEachSide(measured);
    expect(measured.facts.launches[0]?.pids).toEqual({ baseline: pid, comparison: pid, twin: pid });
  });
  test('with both listeners read by an agent', async () => {
    const { target, token, pid } = await withAgent();
    const measured = await measure(target, { secrets: { agent_token: token }, apparatus: blind });
    expectCpuOfEachSide(measured);
    const everyMs = measured.facts.plan.windowMs;
    expect(measured.facts.readings).toMatchObject({ by: 'agent', sameMachine: true, everyMs });
    expect(measured.facts.readings?.turnTransactions).toBeGreaterThanOrEqual(5);
    expect(measured.facts.readings?.withinUs).toBeGreaterThan(0);
    expect(JSON.stringify(measured.facts)).not.toContain(token);
    expect(measured.facts.launches[0]?.pids.baseline).toBe(pid);
  });
  test('whose agent has another token is refused before it is loaded', async () => {
    const { target } = await withAgent();
    const problem = measure(target, { secrets: { agent_token: 'abcdefgh'.repeat(8) }, apparatus: blind });
    await expect(problem).rejects.toMatchObject({ problem: { code: 'agent_untrusted' } });
    await expect(measure(target, { apparatus: blind })).rejects.toMatchObject({
      problem: { code: 'secret_missing', errors: [{ field: 'secrets.agent_token' }] },
    });
  });
  test('whose agent dies halfway ends the run, and says so', async () => {
    const { target, token, agent } = await withAgent();
    const onBlock = () => void agent.child.kill('SIGKILL');
    const ended = measure(target, { secrets: { agent_token: token }, apparatus: blind, onBlock });
    // The kernel resets a connection that a killed process had bytes to read on, and closes it otherwise.
    const detail = expect.stringMatching(`^The agent at ${agent.at.name} (closed|reset) the connection\\.$`);
    await expect(ended).rejects.toMatchObject({ problem: { code: 'agent_unreachable', detail } });
  });
  test('whose processes cannot be read has latency and throughput', async () => {
    const { httpPort, httpsPort } = await nginx('http', 'https');
    const measured = await measure(targetAt(httpPort, httpsPort), { apparatus: blind });
    for (const { kind, ratios, slots } of measured.blocks) {
      expect(Object.keys(ratios)).toContain(kind === 'lockstep' ? 'latency_p50' : 'throughput');
      expect(ratios.cpu_lone).toBeUndefined();
      expect(slots.every(({ target }) => target === null)).toBe(true);
    }
  });
});

test.each([
  ['both listeners in one process', []],
  ['one port for both schemes', ['one']],
] as const)('the turns tell the sides of a Node server with %s apart', async (_, ports) => {
  const { child, target } = await nodeServer(...ports);
  if (ports.length > 0) expect(URL.parse(target.http ?? '')?.port).toBe(URL.parse(target.https ?? '')?.port);
  child.send('burn');
  const measured = await measure(target, { plan: { ...told, users: 1 } });
  expect(inLockstep(measured)).toHaveLength(2);
  for (const { ratios } of inLockstep(measured)) {
    expect(ratios.cpu_lone?.value).toBeGreaterThan(1.3);
    expect(ratios.latency_p50?.value).toBeGreaterThan(1.3);
  }
  const { pid } = child;
  expect(measured.facts.launches[0]?.pids).toEqual({ baseline: pid, comparison: pid, twin: pid });
});

describe.runIf(hasBuild('thread per connection'))('a server with both listeners in one process', () => {
  async function measureBuild(name: ServerBuildName) {
    const identity = join(directory, 'identity.pem');
    writeFileSync(identity, authority.certPem + authority.keyPem);
    const { port, httpsPort, stop } = await startBuild(name, identity);
    stops.push(stop);
    const plan = { users: 2, connectionPolicy: 'connection-per-request' as const };
    return measureBriefly(targetAt(port, httpsPort ?? 0), { directory, plan });
  }

  test('that starts a thread for every connection has its CPU counted', async () => {
    const { blocks, facts } = await measureBuild('thread per connection');
    expect(refusalOfCpu(facts.launches)).toBeNull();
    for (const { windows } of blocks) {
      const cpuUs = windows.reduce((sum, { arms: of }) => sum + (of.baseline.cpuUs ?? 0), 0);
      const transactions = windows.reduce((sum, { arms: of }) => sum + of.baseline.transactions, 0);
      expect(cpuUs).toBeGreaterThan(leastUs(transactions));
    }
  });

  test.each([
    ['process per connection', 'short-lived processes, such as one per connection, which used'],
    ['process per connection, never waited for', 'does not wait for them'],
  ] as const)('that starts a %s has its CPU refused by name', async (name, sentence) => {
    const { facts } = await measureBuild(name);
    expect(refusalOfCpu(facts.launches)).toContain(sentence);
  });
});

/** Answers after 0.5 ms of CPU. Its parent is not this process, as that of what people have running is not. */
async function startApplication(port: number): Promise<number> {
  const script = `require('node:http').createServer((_, response) => {
    const { user } = process.cpuUsage();
    while (process.cpuUsage().user - user < 500);
    response.end('x');
  }).listen(${port}, '127.0.0.1', () => console.log(process.pid))`;
  const shell = spawn('sh', ['-c', '"$0" -e "$1" &', process.execPath, script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(shell.stdout, 'data');
  const pid = Number(String(line));
  stops.push(async () => void process.kill(pid, 'SIGKILL'));
  return pid;
}

test.skipIf(!hasNginx)('an agent finds and reads the application behind nginx', async () => {
  const port = await freePort();
  const application = await startApplication(port);
  const proxy = `location / { proxy_pass http://127.0.0.1:${port}; }`;
  const schemes = ['http', 'https'] as const;
  const server = await startNginxInTest(authority, schemes, { ofAll: proxy });
  stops.push(server.stop);
  const agent = await startAgentInTest(['--companions', '--pid', String(server.pid)]);
  stops.push(agent.stop);
  const target = originsTargetSchema.parse({
    kind: 'origins',
    http: `http://127.0.0.1:${server.httpPort}`,
    https: `https://127.0.0.1:${server.httpsPort}`,
    ca: authority.caPem,
    agent: { address: agent.at.name, fingerprint: agent.at.fingerprint },
  });
  const { blocks, facts } = await measureBriefly(target, {
    ...{ directory, secrets: { agent_token: agent.token }, apparatus: realApparatus },
    plan: { ...told, maximumMs: 2000, sampleMs: 500 },
  });
  // Another test's program that happens to work at the same times may be among them.
  const programs = facts.programs ?? [];
  expect(programs[0]).toMatchObject({ name: 'nginx', role: 'target', pids: [server.pid] });
  const place = programs.findIndex(({ pids }) => pids.includes(application));
  expect(programs[place]).toMatchObject({ name: 'node', role: 'companion' });
  expect(facts.readings?.companions).toBe(true);
  const windowsOf = (kind: string) => blocks.flatMap((block) => (block.kind === kind ? block.windows : []));
  const each = windowsOf('maximum').flatMap((window) => arms.map((arm) => window.arms[arm]));
  for (const { transactions, cpuUs, programsUs = [] } of each) {
    expect(programsUs).toHaveLength(programs.length);
    expect((programsUs[place] ?? 0) / transactions).toBeGreaterThan(450);
    expect(cpuUs).toBe(programsUs.reduce((sum, us) => sum + us, 0));
  }
  const alone = windowsOf('lockstep').flatMap((window) => arms.map((arm) => window.arms[arm]));
  const requests = sumOf(alone.map(({ transactions }) => transactions));
  expect(sumOf(alone.map(({ cpuUs }) => cpuUs ?? 0)) / requests).toBeGreaterThan(500);
});
