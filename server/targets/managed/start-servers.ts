import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isEncrypted } from '../../../shared/base/transport.ts';
import { startChild } from '../../base/process/children.ts';
import { type User, unprivilegedUser } from '../../base/process/unprivileged-user.ts';
import { isFileError } from '../write-atomically.ts';
import type { Group } from './end-servers.ts';
import { freePorts } from './free-ports.ts';
import type { Order, Started } from './keeper-messages.ts';
import type { Command, ListenerPlan, ManagedServer } from './managed-server.ts';
import { managedServers } from './managed-servers.ts';
import { prepareDirectory } from './prepare-directory.ts';
import { statusOf } from './status-of.ts';
import { readTlsLibrary } from './tls-library.ts';
import { witnessPath } from './tls-settings.ts';
import { underCallgrind } from './under-callgrind.ts';

export type KeptServer = Group & { arm: string };

/** Told of as soon as it is there, so that it can be ended whatever happens next. */
type Watch = {
  onDirectory(path: string): void;
  onServer(server: KeptServer): void;
  /** With a sentence, once all have started. */
  onDeath(sentence: string): void;
};

const address = '127.0.0.1';
const readyMs = 20_000;
/** Of a server whose instructions are counted, which makes it some fifty times slower. */
const readyCountedMs = 120_000;
const everyMs = 20;

/** Starts a server for each arm and waits until each has answered. Throws an error with the words of the one that did not. */
export async function startServers(order: Order, watch: Watch): Promise<Started> {
  const { target } = order;
  const server = managedServers[target.server];
  const owner = unprivilegedUser();
  const ports = await freePorts(address, 2 * Object.keys(order.transports).length);
  const { directory, plans, files } = prepareDirectory(order, server, owner, { address, ports, ...watch });

  const started = plans.map(([arm, plan]) => {
    const command = server.commandOf(plan, order.paths);
    const counted =
      order.valgrind === null ? command : underCallgrind(command, order.valgrind, plan.directory);
    const child = start(counted, plan, server, owner);
    const exited = once(child, 'exit').then(([code, signal]) => signal ?? `exit code ${code}`);
    const name = `The ${target.server} of the ${arm} listener`;
    exited.catch(() => {});
    if (child.pid !== undefined) watch.onServer({ arm, pid: child.pid, exited });
    return { arm, child, exited, name, plan };
  });
  // A proxy answers there by itself, whatever is behind it.
  const path = order.upstreams === null ? `/${target.documents[0]}.html` : witnessPath;
  const identity = order.mutual?.clientIdentity;
  const longestMs = order.valgrind === null ? readyMs : readyCountedMs;
  await Promise.all(started.map((each) => untilReady(each, path, identity, longestMs)));
  for (const { name, exited, plan } of started) {
    void exited.then((how) => watch.onDeath(`${name} ended (${how}).${quote(plan)}`));
  }
  const pids = started.map(({ arm, child }): [string, number] => [arm, child.pid ?? 0]);
  const secure = started.find(({ plan }) => isEncrypted(plan.transport)) ?? started[0];
  return {
    ...{ address, directory, files, pids: Object.fromEntries(pids) },
    ports: Object.fromEntries(started.map(({ arm, plan }) => [arm, plan.port])),
    tlsLibrary: typeof server.tls === 'string' ? readTlsLibrary(secure?.child.pid ?? 0) : null,
  };
}

/** Of a server that did not start, as its own words are in the error. */
export function isTakenPort(error: unknown): boolean {
  return /already in use|EADDRINUSE/i.test(String(error));
}

/** In a process group of its own, which is ended as a whole. What it says goes to its error log, from its first word on. */
function start(
  { program, args }: Command,
  { directory, errorLog }: ListenerPlan,
  { dropsRoot = false }: ManagedServer,
  owner: User | null,
): ChildProcess {
  const log = openSync(errorLog, 'a');
  try {
    return startChild(
      program,
      [...args, ...(dropsRoot && owner !== null ? [`${owner.uid}`, `${owner.gid}`] : [])],
      {
        cwd: directory,
        detached: true,
        stdio: ['ignore', log, log],
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
        ...(dropsRoot || owner === null ? {} : owner),
      },
    );
  } finally {
    closeSync(log);
  }
}

type Starting = { child: ChildProcess; exited: Promise<string>; name: string; plan: ListenerPlan };

async function untilReady(
  { child, exited, name, plan }: Starting,
  path: string,
  identity: string | undefined,
  longestMs: number,
): Promise<void> {
  const untilMs = performance.now() + longestMs;
  const failed = exited.then(
    (how) => `${name} did not start (${how}).${quote(plan)}`,
    (error: Error) => `${name} could not be started: ${error.message}.`,
  );
  for (;;) {
    const status = await Promise.race([statusOf(plan, path, identity).catch(() => null), failed]);
    if (typeof status === 'number' && isGood(status) && child.exitCode === null) return;
    if (typeof status === 'string') throw new Error(status);
    if (performance.now() > untilMs) {
      throw new Error(`${name} did not answer within ${longestMs / 1000} s.${quote(plan)}`);
    }
    await Promise.race([pause(everyMs), failed]);
  }
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

function quote({ errorLog }: ListenerPlan): string {
  const lines = lastLines(errorLog);
  return lines === '' ? ' Its error log is empty.' : ` Its error log ends with: ${lines}`;
}

const mostLines = 3;
const mostCharacters = 600;

/** The last lines of a log in one; empty where there are none, or the log is gone. */
function lastLines(path: string): string {
  const lines = textOf(path)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.slice(-mostLines).join(' ').slice(-mostCharacters);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isFileError(error) && error.code === 'ENOENT') return '';
    throw error;
  }
}
