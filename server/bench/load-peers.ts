import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Listener } from '../../shared/target/target.ts';

/** Another tool that loads one listener for a while, as people do by hand. */
export type Peer = {
  name: 'wrk' | 'k6';
  load(order: PeerOrder): Promise<PeerReading>;
};

type PeerOrder = {
  listener: Listener;
  path: string;
  connections: number;
  seconds: number;
  /** For files that the tool writes. */
  directory: string;
  signal: AbortSignal;
  /** That the tool keeps to; any without. */
  core?: number;
};

/** What the tool itself says of its window. */
type PeerReading = { requests: number; perS: number; medianUs: number };

export const peers: Peer[] = [
  { name: 'wrk', load: loadByWrk },
  { name: 'k6', load: loadByK6 },
];

async function loadByWrk({ connections, seconds, signal, core, ...at }: PeerOrder): Promise<PeerReading> {
  const command = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency', urlOf(at)];
  const [program = '', ...args] = core === undefined ? command : ['taskset', '-c', `${core}`, ...command];
  return readWrk(await run(program, args, '', signal));
}

const unitUs: Record<string, number> = { us: 1, ms: 1000, s: 1e6 };

export function readWrk(output: string): PeerReading {
  const [, requests] = /(\d+) requests in/.exec(output) ?? [];
  const [, perS] = /Requests\/sec:\s+([\d.]+)/.exec(output) ?? [];
  const [, median, unit = ''] = /50%\s+([\d.]+)(us|ms|s)\b/.exec(output) ?? [];
  if (
    requests === undefined ||
    perS === undefined ||
    median === undefined ||
    /Non-2xx|Socket errors/.test(output)
  ) {
    throw new Error(`wrk could not load the target: ${output.trim().split('\n').at(-1) ?? ''}`);
  }
  const medianUs = Number(median) * (unitUs[unit] ?? Number.NaN);
  return { requests: Number(requests), perS: Number(perS), medianUs };
}

async function loadByK6(order: PeerOrder): Promise<PeerReading> {
  const { connections, seconds, directory, signal } = order;
  const options = { vus: connections, duration: `${seconds}s`, insecureSkipTLSVerify: true };
  const script = `import http from 'k6/http';
export const options = ${JSON.stringify(options)};
export default () => http.get(${JSON.stringify(urlOf(order))});`;
  const summary = join(directory, 'k6.json');
  await run('k6', ['run', '--quiet', '--summary-export', summary, '-'], script, signal);
  const output = readFileSync(summary, 'utf8');
  rmSync(summary);
  return readK6(output);
}

/** Of `--summary-export`; times are in ms. */
export function readK6(summary: string): PeerReading {
  const { metrics } = JSON.parse(summary) as {
    metrics: {
      http_reqs: { count: number; rate: number };
      http_req_duration: { med: number };
      http_req_failed?: { value: number };
    };
  };
  if ((metrics.http_req_failed?.value ?? 0) > 0) throw new Error('k6 could not load the target');
  const { http_reqs: sent, http_req_duration: took } = metrics;
  return { requests: sent.count, perS: sent.rate, medianUs: took.med * 1000 };
}

function urlOf({ listener, path }: Pick<PeerOrder, 'listener' | 'path'>): string {
  const { transport, address, port } = listener;
  return `${transport}://${address}:${port}${path}`;
}

async function run(program: string, args: string[], input: string, signal: AbortSignal): Promise<string> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], signal });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stdin.end(input);
  await once(child, 'close');
  return output;
}
