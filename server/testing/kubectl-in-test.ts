import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * For tests: a `kubectl` and a cluster of this machine behind it. It writes down what it is asked, and does what the k6-operator does
 * with a TestRun: the `k6` on PATH runs once for each pod, with the environment, files and arguments of the manifest.
 */
export type KubectlInTest = {
  /** To be first on PATH. */
  bin: string;
  /** All arguments of each call so far. */
  calls(): string[][];
  /** Objects of the applied manifest, as they came last; null before. */
  applied(): Record<string, unknown>[] | null;
  pids(): number[];
  close(): void;
};

const program = fileURLToPath(new URL('./kubectl-process.ts', import.meta.url));

/** @param context null for a kubectl that knows no cluster */
export function openKubectl({ context = 'test' }: { context?: string | null } = {}): KubectlInTest {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-kubectl-'));
  const file = join(directory, 'kubectl');
  const environment = `STATE=${directory} CONTEXT=${context ?? ''}`;
  writeFileSync(file, `#!/bin/sh\n${environment} exec ${process.execPath} ${program} "$@"\n`);
  chmodSync(file, 0o755);
  const linesOf = (name: string) => {
    const path = join(directory, name);
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  };
  return {
    bin: directory,
    calls: () => linesOf('calls').map((line) => JSON.parse(line)),
    applied: () => JSON.parse(linesOf('applied').at(-1) ?? 'null')?.items ?? null,
    pids: () => linesOf('pids').map(Number),
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
}
