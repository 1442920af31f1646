import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Authority, openAuthority } from '../targets/certificates/certificate-authority.ts';
import { freePort } from '../testing/free-port.ts';
import { listens } from '../testing/nginx-in-test.ts';
import type { FieldProgram } from './field-process.ts';

/** A directory with a certificate, in which a set-up of `field-scenes.ts` writes its files and starts its programs. */
export type Place = {
  directory: string;
  authority: Authority;
  /** Certificate and key in one file, as HAProxy reads them. */
  pem: string;
  freePort(): Promise<number>;
  /** @returns its path */
  write(name: string, text: string): string;
  /**
   * Starts a program, which ends with this process.
   * @param port waited for until something listens on it
   * @returns its pid
   */
  start(program: string, args: readonly string[], port: number | null): Promise<number>;
  /** The same of one of `field-process.ts`, by Node. */
  startOwn(program: FieldProgram, args: readonly (string | number)[], port: number | null): Promise<number>;
  /** Called before the directory goes. */
  onClose(stop: () => Promise<void>): void;
  close(): Promise<void>;
};

const keeper = new URL('./keep-program.ts', import.meta.url);
const own = fileURLToPath(new URL('./field-process.ts', import.meta.url));

export async function openPlace(): Promise<Place> {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-field-'));
  chmodSync(directory, 0o755);
  const authority = await openAuthority(join(directory, 'authority'));
  const write = (name: string, text: string) => {
    const path = join(directory, name);
    writeFileSync(path, text, { mode: 0o644 });
    return path;
  };
  const pem = write('both.pem', `${authority.certPem}\n${authority.keyPem}`);
  const keepers: ChildProcess[] = [];
  const stops: (() => Promise<void>)[] = [];
  const start: Place['start'] = async (program, args, port) => {
    const child = fork(keeper, [program, ...args]);
    keepers.push(child);
    const [{ pid }] = (await once(child, 'message')) as [{ pid: number }];
    if (port !== null) await untilListening(port, child);
    return pid;
  };
  return {
    ...{ directory, authority, pem, freePort, write, start },
    startOwn: (program, args, port) =>
      start(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', own, program, ...args.map(String)],
        port,
      ),
    onClose: (stop) => void stops.push(stop),
    async close() {
      for (const child of keepers.reverse()) {
        if (child.exitCode !== null || !child.connected) continue;
        const exited = once(child, 'exit');
        child.disconnect();
        await exited;
      }
      for (const stop of stops) await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Throws where the program ends before. */
async function untilListening(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt++) {
    if (await listens(port)) return;
    await pause(50);
  }
  throw new Error(`Nothing listens on port ${port}. The program’s message is above.`);
}
