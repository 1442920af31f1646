import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { answerQuestions } from '../../base/process/asked-process.ts';
import { runChildAtOnce, startChild } from '../../base/process/children.ts';
import { listPids, parseProcessStat, readProc, readProcessStat, tickUs } from '../../base/process/proc.ts';
import { problemOfError, Reason } from '../../base/text/foreign-errors.ts';
import { here } from '../../method/tool-line.ts';
import { openCountingListener } from './counting-listener.ts';
import { type Counts, type Order, questions } from './run-tool.ts';

/** A process of its own that listens, runs the tool and counts. What the tool leaves behind ends with it. */

const killAfterMs = 2000;
const mostLooks = 5;
const sampleMs = 250;

let running: { child: ChildProcess; url: string } | null = null;

answerQuestions(questions, { inspect }, { beforeExit: endRunning });

function endRunning(): void {
  if (running === null) return;
  endGroup(running.child, 'SIGKILL');
  endMarked(running.url);
}

async function inspect({ command, identity, ...order }: Order): Promise<Counts> {
  if (order.alone) raiseLoopback();
  const listener = await openCountingListener({ secure: order.secure, ...identity });
  const origin = `${order.secure ? 'https' : 'http'}://127.0.0.1:${listener.port}`;
  const url = `${origin}${order.path}`;
  const [program = '', ...args] = command.map((each) => each.replace(here, origin));
  const before = { cpu: process.cpuUsage(), children: childTicks(), ms: performance.now() };
  const child = startChild(program, args, {
    cwd: order.directory,
    // The tool's output is for people, in addition to our own report.
    stdio: ['ignore', 2, 2],
    detached: true,
    env: { ...order.environment, TLS_TOLL_URL: url, NODE_EXTRA_CA_CERTS: identity.caFile },
  });
  running = { child, url };
  await once(child, 'spawn').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? new Reason(`${program} was not found.`)
      : problemOfError('tool_failed', `${program} could not be started`, error);
  });
  const busiest = watchThreads(child.pid ?? 0);
  const ended = await untilEnded(child, order.limitMs);
  endMarked(url);
  const seconds = (performance.now() - before.ms) / 1000;
  const own = process.cpuUsage(before.cpu);
  running = null;
  const counts = listener.seen();
  listener.close();
  return {
    ...{ ...counts, ended, seconds },
    cores: {
      tool: ((childTicks() - before.children) * tickUs) / 1e6 / seconds,
      busiestThread: busiest(),
      listener: (own.user + own.system) / 1e6 / seconds,
    },
  };
}

function raiseLoopback(): void {
  const { status } = runChildAtOnce('ip', ['link', 'set', 'lo', 'up']);
  if (status !== 0) throw new Reason('The loopback of its network namespace could not be set up.');
}

/** How it ended, or null where time ran out and it was ended. */
async function untilEnded(child: ChildProcess, limitMs: number): Promise<string | null> {
  let late = false;
  const ask = setTimeout(() => {
    late = true;
    endGroup(child, 'SIGTERM');
  }, limitMs);
  const force = setTimeout(() => endGroup(child, 'SIGKILL'), limitMs + killAfterMs);
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  clearTimeout(ask);
  clearTimeout(force);
  // Processes that it has started may still run.
  endGroup(child, 'SIGKILL');
  return late ? null : (signal ?? `exit code ${code}`);
}

function endGroup({ pid = 0 }: ChildProcess, signal: NodeJS.Signals): void {
  signalTo(-pid, signal);
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/**
 * Ends processes that left the group, such as daemons: their environment still contains the listener's address. In a namespace they end
 * anyway.
 */
function endMarked(url: string): void {
  const mark = `TLS_TOLL_URL=${url}`;
  const marked = () =>
    listPids().filter((pid) => readProc(`/proc/${pid}/environ`)?.split('\0').includes(mark) === true);
  // One that is forking has a child a moment later.
  for (let look = 0, found = marked(); look < mostLooks && found.length > 0; look++, found = marked()) {
    for (const pid of found) signalTo(pid, 'SIGKILL');
  }
}

/** CPU ticks of ended children, and of theirs. */
function childTicks(): number {
  return readProcessStat(process.pid)?.childTicks ?? 0;
}

/** Watches the threads of a process. Call the result for the largest share of a core that one of them took. */
function watchThreads(pid: number): () => number {
  let before = new Map<string, number>();
  let [beforeMs, most] = [performance.now(), 0];
  const timer = setInterval(() => {
    const now = ticksByThread(pid);
    const nowMs = performance.now();
    for (const [thread, ticks] of now) {
      const share = ((ticks - (before.get(thread) ?? ticks)) * tickUs) / 1000 / (nowMs - beforeMs);
      most = Math.max(most, share);
    }
    [before, beforeMs] = [now, nowMs];
  }, sampleMs);
  return () => {
    clearInterval(timer);
    return most;
  };
}

function ticksByThread(pid: number): Map<string, number> {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return new Map(threads.map((id) => [id, ticksOf(readProc(`/proc/${pid}/task/${id}/stat`))]));
  } catch {
    return new Map();
  }
}

function ticksOf(stat: string | null): number {
  return (stat === null ? null : parseProcessStat(stat))?.ownTicks ?? 0;
}
