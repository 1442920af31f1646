import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** A process that uses CPU, memory and disk as it is told to, for the tests of what watches processes. */

export type WorkloadOrder =
  | { kind: 'report' }
  | { kind: 'burn'; cpuMs: number }
  /** Burns in a thread, which lives on until `endThread`. */
  | { kind: 'burnInThread'; cpuMs: number }
  | { kind: 'endThread' }
  /** Burns in a child process, which lives on until `endChild`. */
  | { kind: 'burnInChild'; cpuMs: number }
  | { kind: 'endChild' }
  | { kind: 'hold'; bytes: number }
  | { kind: 'write'; path: string; bytes: number }
  | { kind: 'listen'; host: string };

/** `cpuUs` is the process's own count of itself, its threads included and its children not. */
export type WorkloadReport = { cpuUs: number; rssBytes: number; port: number; childCpuUs: number };

const held: Buffer[] = [];
let thread: Worker | null = null;
let child: ReturnType<typeof fork> | null = null;

if (isMainThread) {
  process.on('message', async (order: WorkloadOrder) => {
    const found = await carryOut(order);
    const { user, system } = process.cpuUsage();
    const report: WorkloadReport = {
      cpuUs: user + system,
      rssBytes: process.memoryUsage.rss(),
      port: 0,
      childCpuUs: 0,
      ...found,
    };
    process.send?.(report);
  });
  process.on('disconnect', () => process.exit());
} else {
  burn(workerData as number);
  parentPort?.postMessage('burnt');
  parentPort?.once('message', () => process.exit());
}

async function carryOut(order: WorkloadOrder): Promise<Partial<WorkloadReport>> {
  switch (order.kind) {
    case 'report':
      return {};
    case 'burn':
      burn(order.cpuMs);
      return {};
    case 'burnInThread':
      thread = new Worker(new URL(import.meta.url), { workerData: order.cpuMs });
      await once(thread, 'message');
      return {};
    case 'endThread':
      thread?.postMessage('end');
      if (thread !== null) await once(thread, 'exit');
      return {};
    case 'burnInChild': {
      child ??= fork(new URL(import.meta.url));
      child.send({ kind: 'burn', cpuMs: order.cpuMs });
      const [report] = (await once(child, 'message')) as [WorkloadReport];
      return { childCpuUs: report.cpuUs };
    }
    case 'endChild':
      child?.disconnect();
      if (child !== null) await once(child, 'exit');
      return {};
    case 'hold':
      held.push(Buffer.alloc(order.bytes, 1));
      return {};
    case 'write':
      write(order.path, order.bytes);
      return {};
    case 'listen': {
      const server = createServer().listen(0, order.host);
      await once(server, 'listening');
      return { port: (server.address() as AddressInfo).port };
    }
  }
}

function burn(cpuMs: number): void {
  const from = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(from);
    if (user + system >= cpuMs * 1000) return;
  }
}

function write(path: string, bytes: number): void {
  const file = openSync(path, 'w');
  writeSync(file, Buffer.alloc(bytes, 1));
  fsyncSync(file);
  closeSync(file);
}
