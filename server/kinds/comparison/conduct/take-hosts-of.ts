import { problem } from '../../../../shared/base/problem.ts';
import { type HostedGenerator, takeGeneratorHosts } from '../../../drive/load/hosts/take-generator-hosts.ts';
import type { ConfiguredHouse } from '../../house.ts';
import type { RunUnderWay } from './run-under-way.ts';
import { takeGeneratorPods } from './take-generator-pods.ts';

/** Takes the hosts or pods that a run asks for, as one generator; null when this machine generates the load. Throws generators_off, generators_missing. */
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
  return hosts;
}
