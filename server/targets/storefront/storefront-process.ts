import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TargetCounters } from '../../../shared/target/target.ts';
import { answerQuestions } from '../../base/process/asked-process.ts';
import { namesCompiledFlags, removePerfMaps } from '../../base/process/proc.ts';
import { createApplication } from './application.ts';
import { openAccessLog } from './exchange.ts';
import { adaptedTo, createListener, openStore, questions, type StartOrder } from './listener.ts';
import { type PerturbedApplication, perturbable } from './perturbation.ts';

/** One storefront process: one listener. */

let closeAccessLog = () => {};
let readCounters: () => TargetCounters = () => {
  throw new Error('the storefront was not started');
};
let perturb: PerturbedApplication['perturb'] = () => {};

// Nobody else is there to do it when its parent was killed.
const [namesCompiled = ''] = namesCompiledFlags;
if (process.execArgv.includes(namesCompiled)) process.on('exit', () => removePerfMaps([process.pid]));

answerQuestions(
  questions,
  { start, counters: () => readCounters(), perturb: (perturbation) => perturb(perturbation) },
  { beforeExit: () => closeAccessLog() },
);

async function start({
  certificate,
  httpVersion,
  certificateCompression,
  store: location,
  accessLogPath,
  address,
  port,
}: StartOrder) {
  const store = await openStore(location);
  const accessLog = openAccessLog(accessLogPath);
  const shop = createApplication(store, accessLog);
  const application = perturbable(adaptedTo(httpVersion, shop));
  perturb = application.perturb;
  const { server, counts } = createListener(application.listener, {
    ...{ certificate, httpVersion, certificateCompression },
  });
  readCounters = () => ({ ...readProcess(), ...counts });
  closeAccessLog = accessLog.close;
  server.listen({ host: address, port, backlog: 4096 });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function readProcess(): Pick<TargetCounters, 'cpuUs' | 'rssBytes'> {
  const { user, system } = process.cpuUsage();
  return { cpuUs: user + system, rssBytes: process.memoryUsage.rss() };
}
