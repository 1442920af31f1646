import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TargetCounters } from '../../../shared/target.ts';
import { openAccessLog } from './access-log.ts';
import { createApplication } from './application.ts';
import { createListener } from './listener.ts';
import { type Order, orderSchema, type ProcessAnswer, type StartOrder } from './messages.ts';
import { overHttp2 } from './over-http2.ts';
import { type PerturbedApplication, perturbable } from './perturbation.ts';
import { openStore } from './store.ts';

/** One storefront process: one listener, started, asked and stopped over IPC, and gone when its parent is. */

let stop = () => process.exit(0);
let readCounters: () => TargetCounters = () => {
  throw new Error('the storefront was not started');
};
let perturb: PerturbedApplication['perturb'] = () => {};

process.on('message', (message) => {
  carryOut(orderSchema.parse(message)).catch((error: unknown) => {
    answer({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  });
});
process.on('disconnect', () => stop());
// Ctrl-C goes to every process of the terminal. The parent decides when its targets end.
process.on('SIGINT', () => {});

async function carryOut(order: Order): Promise<void> {
  switch (order.type) {
    case 'start':
      answer({ type: 'listening', port: await start(order) });
      return;
    case 'counters':
      answer({ type: 'counters', counters: readCounters() });
      return;
    case 'perturb':
      perturb(order.perturbation);
      answer({ type: 'perturbed' });
      return;
    case 'stop':
      stop();
  }
}

/** Returns the port. */
async function start({ certificate, http2, store: location, accessLogPath, address, port }: StartOrder) {
  const store = await openStore(location);
  const accessLog = openAccessLog(accessLogPath);
  const shop = createApplication(store, accessLog);
  const application = perturbable(http2 ? overHttp2(shop) : shop);
  perturb = application.perturb;
  const { server, counts } = createListener(application.listener, { certificate, http2 });
  readCounters = () => ({ ...readProcess(), ...counts });
  stop = () => {
    accessLog.close();
    process.exit(0);
  };
  server.listen({ host: address, port, backlog: 4096 });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function readProcess(): Pick<TargetCounters, 'cpuUs' | 'rssBytes'> {
  const { user, system } = process.cpuUsage();
  return { cpuUs: user + system, rssBytes: process.memoryUsage.rss() };
}

function answer(message: ProcessAnswer): void {
  process.send?.(message, undefined, {}, () => {});
}
