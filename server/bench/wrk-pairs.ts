import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type StorefrontTarget, startStorefront } from '../target/start-storefront.ts';
import type { WindowPair } from './half-widths.ts';

export type WrkPlan = { path: string; connections: number; pairs: number; windowS: number; warmUpS: number };

/** Pairs of windows of wrk on the storefront, http and then https, over and over, as people do by hand. */
export async function measureWrkPairs(
  { path, connections, pairs, windowS, warmUpS }: WrkPlan,
  directory: string,
  signal: AbortSignal,
): Promise<WindowPair[]> {
  const storefront = await startStorefront({
    directory,
    transports: { baseline: 'http', comparison: 'https', twin: 'http' },
    databaseUrl: null,
    signal,
  });
  try {
    const run = (arm: 'baseline' | 'comparison', seconds: number) =>
      measureWindow(storefront, arm, { path, connections, seconds }, signal);
    await run('baseline', warmUpS);
    await run('comparison', warmUpS);
    const measured: WindowPair[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      measured.push({
        baseline: await run('baseline', windowS),
        comparison: await run('comparison', windowS),
      });
    }
    return measured;
  } finally {
    await storefront.stop();
  }
}

/** CPU is the server's own count around the window; a transaction is one request. */
async function measureWindow(
  { listeners, counters }: StorefrontTarget,
  arm: 'baseline' | 'comparison',
  { path, connections, seconds }: { path: string; connections: number; seconds: number },
  signal: AbortSignal,
): Promise<WindowPair['baseline']> {
  const { transport, address, port } = listeners[arm];
  const before = await counters(arm);
  const url = `${transport}://${address}:${port}${path}`;
  const output = await runWrk(['-t1', `-c${connections}`, `-d${seconds}s`, url], signal);
  const after = await counters(arm);
  const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(output) ?? [];
  if (perSecond === undefined || /Non-2xx|Socket errors/.test(output)) {
    throw new Error(`wrk could not load ${url}: ${output.trim().split('\n').at(-1) ?? ''}`);
  }
  return {
    cpu_per_transaction: (after.cpuUs - before.cpuUs) / (after.requests - before.requests),
    throughput: Number(perSecond),
  };
}

async function runWrk(args: string[], signal: AbortSignal): Promise<string> {
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'], signal });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  await once(child, 'close');
  return output;
}
