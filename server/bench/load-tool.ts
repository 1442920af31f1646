import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Scenario, scenarioSchema } from '../../shared/scenario.ts';
import type { Listener } from '../../shared/target.ts';
import { defaultTlsProfile } from '../../shared/tls-profile.ts';
import { startGenerator } from '../load/start-generator.ts';

/** One window of load by one tool, on one core. */
export type Window = { requestsPerSecond: number; clientCpuUsPerRequest: number };
export type Order = {
  listener: Listener;
  path: string;
  connections: number;
  seconds: number;
  /** A full handshake, or TCP connection, for each request. */
  newConnections: boolean;
};
export type LoadTool = {
  name: string;
  /** Null for our own generator. */
  program: string | null;
  /** Whether it can open a connection for each request and count what came of it. */
  reconnects: boolean;
  run(order: Order): Promise<Window>;
};

const clientCore = '1';
const autocannonProgram = fileURLToPath(new URL('../../node_modules/.bin/autocannon', import.meta.url));

export const loadTools: LoadTool[] = [
  { name: 'tls-toll', program: null, reconnects: true, run: runOurs },
  { name: 'wrk', program: 'wrk', reconnects: true, run: runWrk },
  { name: 'h2load', program: 'h2load', reconnects: true, run: runH2load },
  { name: 'autocannon', program: autocannonProgram, reconnects: false, run: runAutocannon },
];

async function runOurs({ listener, path, connections, seconds, newConnections }: Order): Promise<Window> {
  const generator = await startGenerator();
  try {
    spawnSync('taskset', ['-a', '-cp', clientCore, `${generator.pids[0]}`]);
    await generator.configure({
      listeners: [listener],
      scenario: scenarioOf(path),
      // As the others do it: nothing is verified, and keys are agreed in the group that all of them know.
      tls: { ...defaultTlsProfile, verify: false, group: 'X25519' },
      connectionPolicy: newConnections ? 'connection-per-request' : 'keep-alive',
      connections,
      requestTimeoutMs: 5000,
    });
    // The other tools need no warming up; a just-in-time compiler does, and has it in any real run.
    await generator.prepare('baseline');
    await generator.run('baseline', { durationMs: 500, discardMs: 0, ratePerS: null });
    await generator.prepare('baseline');
    const result = await generator.run('baseline', {
      durationMs: seconds * 1000,
      discardMs: 0,
      ratePerS: null,
    });
    const failed = result.errors[0];
    if (failed !== undefined) throw new Error(`tls-toll: ${failed.detail}`);
    return windowOf(result.requests, result.elapsedUs / 1e6, result.generatorCpuUs / 1e6);
  } finally {
    await generator.stop();
  }
}

function scenarioOf(path: string): Scenario {
  return scenarioSchema.parse({ name: 'file', steps: [{ name: 'file', method: 'GET', path }] });
}

async function runWrk(order: Order): Promise<Window> {
  const close = order.newConnections ? ['-H', 'Connection: close'] : [];
  const args = ['-t1', `-c${order.connections}`, `-d${order.seconds}s`, ...close, urlOf(order)];
  const { output, cpuS } = await timed('wrk', args);
  const [, requests, seconds] = /(\d+) requests in ([\d.]+)s/.exec(output) ?? [];
  return windowOf(Number(requests), Number(seconds), cpuS);
}

/** h2load opens no second connection for a client: for new connections it gets as many clients as requests. */
async function runH2load(order: Order): Promise<Window> {
  const many = 500 * order.seconds;
  const amount = order.newConnections
    ? [`-n${many}`, `-c${many}`]
    : [`-c${order.connections}`, `-D${order.seconds}`];
  const { output, cpuS } = await timed('h2load', ['--h1', '-t1', ...amount, urlOf(order)]);
  const [, perSecond] = /([\d.]+) req\/s/.exec(output) ?? [];
  const [, done] = /(\d+) succeeded/.exec(output) ?? [];
  return windowOf(Number(done), Number(done) / Number(perSecond), cpuS);
}

/** Its reconnecting counts no response, so it takes no part where every request has a connection of its own. */
async function runAutocannon(order: Order): Promise<Window> {
  const args = ['-c', `${order.connections}`, '-d', `${order.seconds}`, '-n', '-j', urlOf(order)];
  const { output, cpuS } = await timed(autocannonProgram, args);
  const report = JSON.parse(output.slice(output.indexOf('{'))) as {
    requests: { total: number };
    duration: number;
  };
  return windowOf(report.requests.total, report.duration, cpuS);
}

function windowOf(requests: number, seconds: number, cpuS: number): Window {
  return { requestsPerSecond: requests / seconds, clientCpuUsPerRequest: (cpuS / requests) * 1e6 };
}

function urlOf({ listener, path }: Order): string {
  return `${listener.transport}://${listener.address}:${listener.port}${path}`;
}

/** Runs a program on the client's core; its CPU is what the shell's own accounting says of it. */
async function timed(program: string, args: string[]): Promise<{ output: string; cpuS: number }> {
  const script = 'TIMEFORMAT="cpu %3U %3S"; time "$@"';
  const child = spawn('taskset', ['-c', clientCore, 'bash', '-c', script, 'bash', program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_NO_WARNINGS: '1', NODE_TLS_REJECT_UNAUTHORIZED: '0' },
  });
  let output = '';
  let accounting = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    accounting += text;
  });
  await once(child, 'close');
  const [, user, system] = /cpu ([\d.]+) ([\d.]+)/.exec(accounting) ?? [];
  return { output, cpuS: Number(user) + Number(system) };
}
