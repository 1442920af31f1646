import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type SideName, sideNames } from '../../shared/base/transport.ts';
import { bySideSchema } from '../../shared/base/transport-schema.ts';
import type { Scenario } from '../../shared/scenario/scenario.ts';
import type { Listener } from '../../shared/target/target.ts';
import { pinToCores, planPlacement, readAllowedCores } from '../base/process/cores.ts';
import { assembleRequests } from '../drive/load/protocols.ts';
import type { OpenTarget } from '../targets/open/open-target.ts';
import { openSampler } from '../targets/sampling/process-sampler.ts';

const wrkWindowSchema = z.strictObject({
  requests: z.int().positive(),
  /** Requests per second, by wrk's own clock. */
  perS: z.number().positive(),
  /** CPU of the server's processes, by their CPU clocks, from before wrk's start until they slept after it. */
  cpuUs: z.number().positive(),
});

/** One window of wrk on each side, one after the other. */
export const wrkPairSchema = z.strictObject({
  at: z.iso.datetime(),
  /** Length of each window. */
  seconds: z.int().positive(),
  connections: z.int().positive(),
  /** Requests per transaction. */
  steps: z.int().positive(),
  ...bySideSchema(wrkWindowSchema).shape,
});
export type WrkPair = z.infer<typeof wrkPairSchema>;

type WrkPlan = Pick<WrkPair, 'connections' | 'seconds'> & {
  scenario: Scenario;
  /** Order of the sides' windows. */
  order: readonly SideName[];
  /** Warm-up of each side before its window; a server that compiles needs some. */
  warmUpS: number;
  signal: AbortSignal;
};

/**
 * Runs wrk as people do by hand: one long window per side. It sends the same bytes as our generator. To be fair, wrk has its own core
 * where there are two, and CPU is the kernel's count of the server's processes.
 */
export async function measureWrkPair(
  { listeners, ours }: Pick<OpenTarget<SideName>, 'listeners' | 'ours'>,
  { scenario, order, warmUpS, seconds, connections, signal }: WrkPlan,
): Promise<WrkPair> {
  const at = new Date().toISOString();
  const placement = planPlacement(readAllowedCores(), 1);
  const roots = sideNames.flatMap((side) => listeners[side].pid ?? []);
  if (ours && placement !== null) await pinToCores(roots, placement.target);
  const core = placement?.generator[0] ?? null;
  const load = (side: SideName, seconds: number) =>
    loadByWrk({ listener: listeners[side], scenario, connections, seconds, core, signal });
  if (warmUpS > 0) for (const side of order) await load(side, warmUpS);
  const windows: Partial<Record<SideName, WrkPair[SideName]>> = {};
  for (const side of order) windows[side] = await load(side, seconds);
  const { baseline, comparison } = windows;
  if (baseline === undefined || comparison === undefined) throw new Error('wrk had no window on a side');
  return { at, seconds, connections, steps: scenario.steps.length, baseline, comparison };
}

type WrkOrder = Omit<WrkPlan, 'order' | 'warmUpS'> & { listener: Listener; core: number | null };

async function loadByWrk(order: WrkOrder): Promise<WrkPair[SideName]> {
  const { listener, scenario, connections, seconds, core, signal } = order;
  if (listener.pid === null)
    throw new Error('The CPU of the server is unknown, because its process is unknown.');
  const server = openSampler(listener.pid);
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-wrk-'));
  try {
    const script = join(directory, 'requests.lua');
    writeFileSync(
      script,
      requestsInLua(assembleRequests(scenario, listener, false).map(({ bytes }) => bytes)),
    );
    const url = `${listener.transport}://${listener.address}:${listener.port}`;
    const command = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url];
    await server.awaitAsleep();
    const beforeUs = server.readCpuUs();
    const read = readWrk(
      await run(core === null ? command : ['taskset', '-c', `${core}`, ...command], signal),
    );
    await server.awaitAsleep();
    return { ...read, cpuUs: server.readCpuUs() - beforeUs };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** wrk asks for one request at a time, for any free connection. Each request gets an equal share. */
export function requestsInLua(requests: readonly Buffer[]): string {
  const strings = requests.map(
    (bytes) => `"${[...bytes].map((byte) => `\\${`${byte}`.padStart(3, '0')}`).join('')}"`,
  );
  return `local requests = { ${strings.join(', ')} }
local sent = 0
request = function()
  sent = sent % #requests + 1
  return requests[sent]
end
`;
}

async function run([program = '', ...args]: readonly string[], signal: AbortSignal): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], signal });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  await once(child, 'close');
  return output;
}

/** The figures that wrk prints. */
export function readWrk(output: string): { requests: number; perS: number } {
  const [, requests] = /(\d+) requests in/.exec(output) ?? [];
  const [, perS] = /Requests\/sec:\s+([\d.]+)/.exec(output) ?? [];
  if (requests === undefined || perS === undefined || /Non-2xx|Socket errors/.test(output)) {
    throw new Error(`wrk could not load the target: ${output.trim().split('\n').at(-1) ?? ''}`);
  }
  return { requests: Number(requests), perS: Number(perS) };
}
