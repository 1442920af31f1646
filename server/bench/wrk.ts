import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Listener } from '../../shared/target/target.ts';

type WrkOrder = {
  listener: Listener;
  path: string;
  connections: number;
  seconds: number;
  signal: AbortSignal;
  /** That it keeps to; any without. */
  core?: number;
};

/** What wrk itself says of its window. */
type WrkReading = { requests: number; perS: number; medianUs: number };

/** Loads one listener for a while, as people do by hand. */
export async function loadByWrk(order: WrkOrder): Promise<WrkReading> {
  const { listener, path, connections, seconds, core, signal } = order;
  const url = `${listener.transport}://${listener.address}:${listener.port}${path}`;
  const command = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency', url];
  const [program = '', ...args] = core === undefined ? command : ['taskset', '-c', `${core}`, ...command];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], signal });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  await once(child, 'close');
  return readWrk(output);
}

const unitUs: Record<string, number> = { us: 1, ms: 1000, s: 1e6 };

export function readWrk(output: string): WrkReading {
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
