import { namesOf } from '../../../../shared/base/arms.ts';
import { type MeshArm, type MeshRequest, meshArms } from '../../../../shared/kinds/mesh/mesh.ts';
import type { LoadBench } from '../../../measure/bench.ts';
import { sumOf } from '../../../method/statistics/mean.ts';
import type { Readings } from '../../../targets/sampling/readings.ts';
import { type MeshPart, rolesOf } from '../plan/plan-mesh.ts';

const arms = namesOf<MeshArm>(meshArms);

export function partsOf(arm: MeshArm, request: Pick<MeshRequest, 'clientProxy'>): MeshPart[] {
  return rolesOf(arm, request).map((role): MeshPart => `${arm} ${role}`);
}

/** All processes on the way of an arm as one. */
export function readingsOfArms(
  parts: Readings<MeshPart>,
  request: Pick<MeshRequest, 'clientProxy'>,
): LoadBench<MeshArm>['readings'] {
  const { shared, roots, remote } = parts;
  const ofArms = <Each>(of: (own: MeshPart[]) => Each) =>
    Object.fromEntries(arms.map((arm) => [arm, of(partsOf(arm, request))])) as Record<MeshArm, Each>;
  return {
    ...{ shared, remote, stepUs: parts.stepUs },
    roots: roots === null ? null : ofArms((own) => own.flatMap((part) => roots[part])),
    async readCpu() {
      const cpuUs = await parts.readCpu();
      return cpuUs === null ? null : ofArms((own) => sumOf(own.map((part) => cpuUs[part])));
    },
    async awaitAsleep(arm) {
      const sleeps = [];
      for (const part of partsOf(arm, request)) sleeps.push(await parts.awaitAsleep(part));
      return {
        waitedUs: sumOf(sleeps.map(({ waitedUs }) => waitedUs)),
        asleep: sleeps.every(({ asleep }) => asleep),
      };
    },
    sum(cpuUs) {
      const each = sumOf(arms.map((arm) => cpuUs[arm]));
      // Where all arms have one application, every one of them has it whole, and a direct one nothing else.
      return shared ? each - (arms.length - 1) * cpuUs.direct : each;
    },
  };
}
