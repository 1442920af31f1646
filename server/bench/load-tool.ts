import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { defaultTlsProfile } from '../../shared/base/tls-profile.ts';
import { schemeOf, transportFacts } from '../../shared/base/transport.ts';
import { type Scenario, scenarioSchema } from '../../shared/scenario/scenario.ts';
import type { Listener } from '../../shared/target/target.ts';
import { startGenerator } from '../drive/load/start-generator.ts';

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
  /** Null for what comes with this product. */
  program: string | null;
  takes(order: Order): boolean;
  open(order: Order): Promise<OpenTool>;
};
/** Runs one window after another; what compiles as it goes stays compiled. */
export type OpenTool = { run(): Promise<Window>; close(): Promise<void> };

const clientCore = '1';
/** By then what runs for every request is compiled, however slow the machine is. */
const warmUpRequests = { kept: 10_000, anew: 1000 };
const speaksHttp2 = ({ listener }: Order) => transportFacts[listener.transport].httpVersion === '2';

export const loadTools: LoadTool[] = [
  { name: 'tls-toll', program: null, takes: () => true, open: (order) => openOurs(order) },
  {
    name: 'node:http2',
    program: null,
    takes: speaksHttp2,
    open: (order) => openOurs(order, new URL('./node-http2-generator.ts', import.meta.url)),
  },
  { name: 'wrk', program: 'wrk', takes: (order) => !speaksHttp2(order), open: each(runWrk) },
  { name: 'h2load', program: 'h2load', takes: () => true, open: each(runH2load) },
  {
    name: 'autocannon',
    program: 'autocannon',
    // Its reconnecting counts no response, so it takes no part where every request has a connection of its own.
    takes: (order) => !speaksHttp2(order) && !order.newConnections,
    open: each(runAutocannon),
  },
];

function each(run: (order: Order) => Promise<Window>): LoadTool['open'] {
  return async (order) => ({ run: () => run(order), close: async () => {} });
}

async function openOurs(order: Order, script?: URL): Promise<OpenTool> {
  const { listener, path, connections, seconds, newConnections } = order;
  const generator = await startGenerator(1, { script });
  spawnSync('taskset', ['-a', '-cp', clientCore, `${generator.pids[0]}`]);
  await generator.configure({
    listeners: [listener],
    scenario: scenarioOf(path),
    // As the others do it: nothing is verified, and keys are agreed in the group that all of them know.
    tls: { ...defaultTlsProfile, version: 'TLSv1.3', verify: false, group: 'X25519' },
    connectionPolicy: newConnections ? 'connection-per-request' : 'keep-alive',
    connections,
    requestTimeoutMs: 5000,
  });
  const run = async (durationMs: number) => {
    await generator.prepare('baseline');
    const result = await generator.run('baseline', { durationMs, discardMs: 0, ratePerS: null });
    const failed = result.errors[0];
    if (failed !== undefined) throw new Error(`tls-toll: ${failed.detail}`);
    return result;
  };
  // The other tools need no warming up; a just-in-time compiler does, and has it in any real run.
  for (let left = warmUpRequests[newConnections ? 'anew' : 'kept']; left > 0; )
    left -= (await run(500)).requests;
  return {
    async run() {
      const { requests, elapsedUs, generatorCpuUs } = await run(seconds * 1000);
      return windowOf(requests, elapsedUs / 1e6, generatorCpuUs / 1e6);
    },
    close: () => generator.stop(),
  };
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

/**
 * h2load opens no second connection for a client: for new connections it gets as many clients as requests. It is given a
 * number of requests, as with a duration it may wait for ever for the last of them.
 */
async function runH2load(order: Order): Promise<Window> {
  const requests = (order.newConnections ? 500 : 5000) * order.seconds;
  const amount = [`-n${requests}`, `-c${order.newConnections ? requests : order.connections}`];
  const version = speaksHttp2(order) ? [] : ['--h1'];
  const { output, cpuS } = await timed('h2load', [...version, '-t1', ...amount, urlOf(order)]);
  const [, perSecond] = /([\d.]+) req\/s/.exec(output) ?? [];
  const [, done] = /(\d+) succeeded/.exec(output) ?? [];
  return windowOf(Number(done), Number(done) / Number(perSecond), cpuS);
}

async function runAutocannon(order: Order): Promise<Window> {
  const args = ['-c', `${order.connections}`, '-d', `${order.seconds}`, '-n', '-j', urlOf(order)];
  const { output, cpuS } = await timed('autocannon', args);
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
  return `${schemeOf(listener.transport)}://${listener.address}:${listener.port}${path}`;
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
