import { ProblemError, problem } from '../../../../shared/base/problem.ts';
import type { OriginsTarget } from '../../../../shared/target/target.ts';
import { type HostedGenerator, takeGeneratorHosts } from '../../../drive/load/hosts/take-generator-hosts.ts';
import type { JoiningPods } from '../../../drive/load/pods/offer-pods.ts';
import type { ConfiguredHouse } from '../../house.ts';
import type { RunUnderWay } from './run-under-way.ts';

type Choice = Parameters<typeof takeGeneratorHosts>[1];

/** Enough for nodes that pull the image first. */
const waitS = 180;

/** Creates pods and waits until all have joined. Stopping the generator removes them. Throws pods_off, pods_refused, cluster_unreachable, cluster_refused. */
export function takeGeneratorPods({ plan, request }: Pick<RunUnderWay, 'plan' | 'request'>) {
  return async (
    { pods }: NonNullable<ConfiguredHouse['generatorHosts']>,
    choice: Choice,
  ): Promise<HostedGenerator> => {
    if (pods === undefined || pods === null) {
      throw problem('pods_off', 'The run asks for generator pods, but what measures it creates none.');
    }
    choice.signal.throwIfAborted();
    const joining = await pods.start({
      ...{ count: choice.count, cores: choice.processes },
      allow: placesOf(request.target as OriginsTarget),
      deadlineS: waitS + 60 * (plan.permit?.caps.minutes ?? 0),
    });
    // Pods that cannot be removed now end at their deadline, and are removed at the next start.
    const end = () => joining.end().catch(() => {});
    try {
      const hosts = await takeJoining(joining, choice);
      return {
        ...hosts,
        async stop() {
          await hosts.stop();
          await end();
        },
      };
    } catch (error) {
      await end();
      throw error;
    }
  };
}

async function takeJoining(joining: JoiningPods, choice: Choice): Promise<HostedGenerator> {
  const refused = new AbortController();
  joining.refused.catch((error) => refused.abort(error));
  const signal = AbortSignal.any([choice.signal, refused.signal]);
  try {
    const hosts = await takeGeneratorHosts(joining.pool, { ...choice, waitS, signal });
    joining.joined();
    return hosts;
  } catch (error) {
    const known = joining.currentProblem();
    const isLate = error instanceof ProblemError && error.problem.code === 'generators_missing';
    throw isLate && known !== '' ? problem('pods_refused', `${known} The run waited ${waitS} s.`) : error;
  }
}

/** Values of `--allow`: pods may load only the target. */
function placesOf({ http, https, twin }: OriginsTarget): string[] {
  const places = [http, https, twin].flatMap((origin) => {
    if (origin === undefined) return [];
    const { hostname, port, protocol } = new URL(origin);
    return `${hostname}:${port === '' ? usualPorts[protocol] : port}`;
  });
  return [...new Set(places)];
}

const usualPorts: Record<string, number> = { 'http:': 80, 'https:': 443 };
