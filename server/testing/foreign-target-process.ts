import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { collectDefaultMetrics, register } from 'prom-client';
import { openAuthority } from '../targets/certificates/certificate-authority.ts';

/**
 * For tests: an application of somebody else, a process that serves one page over http and https. Its arguments are a
 * directory for its certificates and, if it has to be there again, its two ports; with `one`, both are one port, told by the first byte. `/missing` is not found. `/metrics` shows what the process uses, as a Node
 * application does, `/seconds` the same with whole seconds of CPU. Told `fail`, its https side answers 500
 * from then on; told `burn`, it uses 6 ms of CPU for each answer over https, told `work`, 4 ms for each one over http and 12 over https. It goes with its parent.
 */

const burnUs = 2000;
let failing = false;
let burns: 'none' | 'https' | 'work' = 'none';
process.on('disconnect', () => process.exit(0));
process.on('message', (message) => {
  failing = message === 'fail';
  burns = message === 'work' ? 'work' : message === 'burn' ? 'https' : 'none';
});

const page = Buffer.alloc(20_000, 'shop ');
collectDefaultMetrics();
const exposition = async (path: string) => {
  const text = await register.metrics();
  return path === '/metrics' ? text : text.replace(/^(process_cpu_seconds_total \d+)\..*$/m, '$1');
};

const answer: RequestListener = async (request, response) => {
  request.resume();
  if (request.url === '/metrics' || request.url === '/seconds') {
    response.end(await exposition(request.url));
    return;
  }
  const encrypted = 'encrypted' in request.socket;
  const from = process.cpuUsage();
  const shares = { none: [0, 0], https: [0, 3], work: [2, 6] }[burns];
  const leastUs = burnUs * (shares[encrypted ? 1 : 0] ?? 0);
  while (process.cpuUsage(from).user < leastUs);
  response.statusCode = failing && encrypted ? 500 : request.url === '/missing' ? 404 : 200;
  response.setHeader('Content-Type', 'text/html').end(page);
};

const authority = await openAuthority(process.argv[2] ?? '');
const http = createHttp(answer);
const https = createHttps({ cert: authority.certPem, key: authority.keyPem }, answer);
const both = createTcp((socket) => {
  socket.once('data', (first) => {
    socket.pause();
    socket.unshift(first);
    (first[0] === 22 ? https : http).emit('connection', socket);
    process.nextTick(() => socket.resume());
  });
});
const ports: number[] = [];
const [one, ...others] = process.argv.slice(3);
for (const server of one === 'one' ? [both] : [http, https]) {
  server.listen(Number([one, ...others][ports.length]) || 0, '127.0.0.1');
  await once(server, 'listening');
  ports.push((server.address() as AddressInfo).port);
}
const [httpPort, httpsPort = httpPort] = ports;
process.send?.({
  http: `http://127.0.0.1:${httpPort}`,
  https: `https://127.0.0.1:${httpsPort}`,
  ca: authority.caPem,
});
