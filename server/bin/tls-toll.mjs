#!/usr/bin/env node
/**
 * `npx tls-toll`: runs the command line under the pinned Node; a clone is made ready before. Runs on any Node from 20 on.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const sources = here('../edge/cli.ts');
const isClone = existsSync(sources);
if (isClone) makeReady();

const child = spawn(
  pinnedNode(),
  [
    '--disable-warning=ExperimentalWarning',
    isClone ? sources : here('../edge/cli.js'),
    ...process.argv.slice(2),
  ],
  // It ends when we are killed.
  { stdio: 'inherit', env: { ...process.env, TLS_TOLL_LAUNCHER: `${process.pid}` } },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));

function makeReady() {
  const asksForHelp =
    process.argv.length === 2 || process.argv.some((argument) => ['--help', '-h', 'help'].includes(argument));
  // The agent has no page to show.
  const goal = asksForHelp || process.argv[2] === 'agent' ? 'run' : 'start';
  const { status } = spawnSync(process.execPath, [here('./prepare.mjs'), goal], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
}

/** Installed beside us or above us, as npm likes. */
function pinnedNode() {
  try {
    return createRequire(import.meta.url).resolve('node/bin/node');
  } catch {
    process.stderr.write(
      'The Node that TLS Toll brings along is missing. Install TLS Toll again without --ignore-scripts.\n',
    );
    process.exit(1);
  }
}

function here(path) {
  return fileURLToPath(new URL(path, import.meta.url));
}
