import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { MeasuringEngine } from '../../../../shared/engine.ts';
import { problem } from '../../../../shared/problem.ts';
import type { K6Cluster } from '../../../policy/k6-cluster.ts';
import { strictest } from '../../../policy/strictest.ts';
import type { Generator } from '../../start-generator.ts';
import { demandTrust } from '../demand-listeners.ts';
import { versionOfAgent } from '../find-k6.ts';
import { generatorOfCrew } from '../generator-of-crew.ts';
import { authoritiesOf, scriptOf } from '../pairs-of.ts';
import { SentBytes } from './sent-bytes.ts';
import { startTestRun } from './start-test-run.ts';

/** Nodes may have to fetch the image first. */
const startMs = 5 * 60_000;

/**
 * k6 in pods of the k6-operator, each with its execution segment of the virtual users and its share of the target's rate.
 * @param directory where the manifest is written
 * Throws k6_unreachable.
 */
export async function startK6InCluster(
  pods: number,
  {
    cluster,
    directory,
    signal,
  }: { cluster: K6Cluster | null; directory: string; signal: AbortSignal | undefined },
): Promise<Generator & { readonly engine: MeasuringEngine }> {
  if (cluster === null) {
    throw problem('k6_unreachable', 'Pods of k6 would not know how to reach the machine that measures.');
  }
  const { desk, image } = cluster;
  let met = '';
  let version = '';
  return generatorOfCrew(
    {
      get engine() {
        return { name: 'k6-operator' as const, version };
      },
      demandListeners: demandTrust,
      placeOf(configuration) {
        const { listeners, connections, scenario } = configuration;
        const permit = strictest(listeners.flatMap((listener) => listener.permit ?? []));
        const rate = permit?.caps.requestsPerS ?? null;
        const processes = Math.min(pods, connections, rate ?? pods);
        const requestsPerS = rate === null ? null : Math.floor(rate / processes);
        const sent = permit === null ? null : new SentBytes(permit, scenario.steps);
        return {
          ...{ desk, startMs },
          start: (orders) =>
            startTestRun(
              {
                name: `tls-toll-${randomBytes(5).toString('hex')}`,
                ...{ pods: processes, image, orders },
                script: scriptOf(configuration, { control: null, requestsPerS }),
                authorities: authoritiesOf(listeners),
              },
              { file: join(directory, 'k6-testrun.json'), signal },
            ),
          spend: (transactions) => sent?.spend(transactions),
          meet(userAgent) {
            if (userAgent === met) return;
            version = versionOfAgent(userAgent);
            met = userAgent;
          },
        };
      },
      close: () => {},
    },
    signal,
  );
}
