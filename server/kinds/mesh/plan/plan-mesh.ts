import { sidesOfArms } from '../../../../shared/base/arms.ts';
import type { AskedArms } from '../../../../shared/base/transport.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import {
  type MeshArm,
  type MeshRequest,
  type MeshRole,
  meshArms,
} from '../../../../shared/kinds/mesh/mesh.ts';
import type { Phase } from '../../../../shared/measurement/estimate-progress.ts';
import { pathScenario } from '../../../../shared/scenario/path-scenario.ts';
import type { Scenario } from '../../../../shared/scenario/scenario.ts';
import { type Target, targetSchema } from '../../../../shared/target/target.ts';

/** A process on the way of an arm. */
export type MeshPart = `${MeshArm} ${MeshRole}`;

export const requestTimeoutMs = 5000;
/** Of a launch: until it is warm at the latest, at load, which is two thirds of the measured time as comparisons have, and alone. */
export type MeshTimes = { warmUpMs: number; atLoadMs: number; loneMs: number };
export const usualTimes: MeshTimes = { warmUpMs: 1500, atLoadMs: 2000, loneMs: 800 };
/** Starting servers and proxies. */
const startS = 1.5;
/** Warming up, and finding the load. */
const warmUpS = 2.5;

/** What warming up and finding a load take of a plan; one user goes from arm to arm in windows of 200 ms. */
export function loadPlanOf({ users }: Pick<MeshRequest, 'users'>, { warmUpMs }: MeshTimes) {
  return {
    arms: meshArms,
    ...{ users, generators: 1, maximumMs: usualTimes.atLoadMs },
    ...{ thinkMs: 0, windowMs: 200, pairUsers: 1 },
    warmUp: { transactions: null, longestMs: warmUpMs },
  } satisfies Partial<Omit<Plan, 'arms'>> & { arms: unknown };
}

type MeshPhase = 'preparing' | 'measuring';

export function meshPhases({ launches }: Pick<MeshRequest, 'launches'>): Phase<MeshPhase>[] {
  const launchS = startS + warmUpS + (usualTimes.atLoadMs + usualTimes.loneMs) / 1000;
  return [
    { name: 'preparing', seconds: 1 },
    { name: 'measuring', seconds: launches * launchS, rounds: launches },
  ];
}

/** What the proxies stand in front of: a server for each arm, or one that stands already for all of them. None of them has TLS. */
export function askedApplication(request: MeshRequest): AskedApplication {
  return {
    target: targetOf(request),
    arms: meshArms,
    transports: sidesOfArms<MeshArm>(meshArms).map(() => 'http'),
    fieldOf: (_, field) => (field.startsWith('target.') ? 'address' : field),
  };
}

type AskedApplication = AskedArms<MeshArm> & {
  target: Target;
  fieldOf(side: MeshArm, field: string): string;
};

function targetOf({ application, address, bytes }: MeshRequest): Target {
  if (address === null) {
    return targetSchema.parse({ kind: 'managed', server: application, documents: [bytes] });
  }
  return targetSchema.parse({ kind: 'origins', http: new URL(address).origin });
}

export function scenarioOf({ address, bytes }: Pick<MeshRequest, 'address' | 'bytes'>): Scenario {
  if (address === null) return pathScenario([`/${bytes}.html`], null);
  const { pathname, search } = new URL(address);
  return pathScenario([`${pathname}${search}`]);
}

/** Of each arm, from the application to the client. */
export function rolesOf(arm: MeshArm, { clientProxy }: Pick<MeshRequest, 'clientProxy'>): MeshRole[] {
  if (arm === 'direct' || arm === 'twin') return ['application'];
  return clientProxy ? ['application', 'proxy', 'clientProxy'] : ['application', 'proxy'];
}
