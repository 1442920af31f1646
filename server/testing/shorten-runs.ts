import type { Plan } from '../../shared/kinds/comparison/load-profile.ts';
import { comparison } from '../kinds/comparison/kind.ts';
import { explain } from '../kinds/explain/kind.ts';
import { mesh } from '../kinds/mesh/kind.ts';
import { servers } from '../kinds/servers/kind.ts';
import { sizes } from '../kinds/sizes/kind.ts';
import { briefApparatus, makeBrief } from './brief-plan.ts';

/** Times of a round over all sizes, and of a visit to a cell. */
export const brief = { roundMs: 500, visitMs: 300 };

/**
 * For tests: comparisons of this process are brief from now on, with two launches where a plan leaves their number open, and look for no
 * programs beside the target. Returns what makes them as long again as they are for users.
 * @param change what is otherwise than in a brief plan
 */
export function shortenRuns(change: Partial<Plan> = {}): () => void {
  const { prepare, conduct } = comparison;
  comparison.prepare = async (...asked) => {
    const prepared = await prepare.apply(comparison, asked);
    const { plan } = prepared.facts;
    const isOpen = plan.launches.minimum < plan.launches.maximum;
    const launches = isOpen ? { minimum: 2, maximum: 2 } : plan.launches;
    return { ...prepared, facts: { ...prepared.facts, plan: makeBrief(plan, { launches, ...change }) } };
  };
  comparison.conduct = (task, watch, house) =>
    conduct.call(comparison, task, watch, { ...house, apparatus: house.apparatus ?? briefApparatus });
  return () => {
    Object.assign(comparison, { prepare, conduct });
  };
}

const briefExplain = { warmUpMs: 200, plainMs: 200, recordedMs: 500 };
const briefMesh = { warmUpMs: 300, atLoadMs: 500, loneMs: 250 };

/** The same for sweeps, explanations and meshes. */
export function shortenSweeps(): () => void {
  const whole = [sizes.conduct, servers.conduct, explain.conduct, mesh.conduct] as const;
  sizes.conduct = async (task, watch, house) => {
    const { conductSizes } = await import('../kinds/sizes/conduct-sizes.ts');
    return conductSizes(task, watch, house, brief.roundMs);
  };
  servers.conduct = async (task, watch, house) => {
    const { conductServers } = await import('../kinds/servers/conduct-servers.ts');
    return conductServers(task, watch, house, brief.visitMs);
  };
  explain.conduct = async (task, watch, house) => {
    const { conductExplain } = await import('../kinds/explain/conduct-explain.ts');
    return conductExplain(task, watch, house, briefExplain);
  };
  mesh.conduct = async (task, watch, house) => {
    const { conductMesh } = await import('../kinds/mesh/conduct-mesh.ts');
    return conductMesh(task, watch, house, briefMesh);
  };
  return () => {
    [sizes.conduct, servers.conduct, explain.conduct, mesh.conduct] = whole;
  };
}
