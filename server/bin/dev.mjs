/** `npm run dev`: the server, started anew when its sources change, and the client with live reload in front of it. */
import { spawn } from 'node:child_process';

const programs = [
  ['node', ['--watch', '--disable-warning=ExperimentalWarning', 'server/bin/start.mjs']],
  ['vite', []],
];
const children = programs.map(([command, args]) => spawn(command, args, { stdio: 'inherit' }));

function stop() {
  for (const child of children) child.kill('SIGTERM');
}

// Neither is of use without the other.
for (const child of children) child.on('exit', stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
