import { problem } from '../../../../shared/base/problem.ts';
import { type HostedGenerator, takeGeneratorHosts } from '../../../drive/load/hosts/take-generator-hosts.ts';
import type { ConfiguredHouse } from '../../house.ts';
import type { RunUnderWay } from './run-under-way.ts';
import { takeGeneratorPods } from './take-generator-pods.ts';

/** Of the time between two bursts, orders and answers take a tenth at most. */
const mostIdle = 0.1;

/** The hosts or pods that a run asks for, as one generator; null where this machine generates. Throws generators_off, generators_missing. */
export async function takeHostsOf(
  run: Pick<RunUnderWay, 'plan' | 'request' | 'waitingFor' | 'enter' | 'tellProgress'>,
  { generatorHosts: pool }: Pick<ConfiguredHouse, 'generatorHosts'>,
  signal: AbortSignal,
): Promise<HostedGenerator | null> {
  const { plan } = run;
  const { generatorHosts: count, generators: processes } = plan;
  if (count === undefined) return null;
  if (pool === undefined || pool === null) {
    throw problem(
      'generators_off',
      'The run asks for generator hosts, but what measures it does not listen for any.',
    );
  }
  const waitFor = (free: number) => {
    run.waitingFor = { of: 'generator host', done: free, planned: count };
  };
  if (pool.free().length < count) {
    waitFor(pool.free().length);
    await run.enter('waiting for generators');
  }
  const take = plan.generatorPods === undefined ? takeGeneratorHosts : takeGeneratorPods(run);
  const hosts = await take(pool, {
    ...{ count, processes, signal },
    onWaiting(free) {
      waitFor(free);
      run.tellProgress();
    },
  });
  if (run.waitingFor !== null) await run.enter('starting');
  run.waitingFor = null;
  plan.generators = hosts.processes;
  const idleMs = hosts.idleUs() / 1000;
  plan.burstMs = Math.max(plan.burstMs, Math.ceil((idleMs * (1 - mostIdle)) / mostIdle));
  return hosts;
}
