#!/usr/bin/env node
/** `npx tls-toll`: makes the clone ready, then runs the command line under the pinned Node. Runs on any Node from 20 on. */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const prepare = fileURLToPath(new URL('./prepare.mjs', import.meta.url));
const commandLine = fileURLToPath(new URL('../cli.ts', import.meta.url));
const pinnedNode = fileURLToPath(new URL('../../node_modules/node/bin/node', import.meta.url));

const asksForHelp =
  process.argv.length === 2 || process.argv.some((argument) => ['--help', '-h', 'help'].includes(argument));
const prepared = spawnSync(process.execPath, [prepare, asksForHelp ? 'install' : 'start'], {
  stdio: ['ignore', 2, 2],
});
if (prepared.status !== 0) process.exit(1);

const child = spawn(
  pinnedNode,
  ['--disable-warning=ExperimentalWarning', commandLine, ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
