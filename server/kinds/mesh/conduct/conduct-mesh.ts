import { byArm } from '../../../../shared/base/arms.ts';
import { defaultTlsProfile } from '../../../../shared/base/tls-profile.ts';
import {
  type MeshArm,
  type MeshFacts,
  type MeshLaunch,
  type MeshRequest,
  meshArms,
} from '../../../../shared/kinds/mesh/mesh.ts';
import { usualUsers } from '../../../../shared/measurement/load-options.ts';
import type { Listener } from '../../../../shared/target/target.ts';
import type { Generator } from '../../../drive/load/start-generator.ts';
import type { OpenTarget } from '../../../targets/open-target.ts';
import { type Apparatus, readingsHere } from '../../apparatus.ts';
import { conductLaunches, configureLoad, type Prepared } from '../../conduct-launches.ts';
import type { ConfiguredHouse } from '../../house.ts';
import type { Task, Watch } from '../../kind.ts';
import {
  loadPlanOf,
  type MeshPart,
  type MeshTimes,
  meshPhases,
  requestTimeoutMs,
  scenarioOf,
  usualTimes,
} from '../plan/plan-mesh.ts';
import { readingsOfArms } from './arm-readings.ts';
import { demandApplication, demandSame, labelsOf, problemIn } from './check-mesh.ts';
import { measureLaunch } from './measure-launch.ts';
import { type OpenMesh, openMesh } from './open-mesh.ts';

/**
 * Launch after launch of application and proxies, each warmed up and measured. Whatever happens, they and the generator are gone
 * when it returns.
 */
export function conductMesh(
  { request, facts }: Task<MeshRequest, MeshFacts, MeshLaunch>,
  watch: Watch<MeshFacts, MeshLaunch>,
  house: ConfiguredHouse,
  times: MeshTimes = usualTimes,
): Promise<void> {
  const asked = {
    ...{ launches: request.launches, generators: 1, phases: meshPhases(request) },
    ...{ plan: loadPlanOf(request, times), scenario: scenarioOf(request), labels: labelsOf(request) },
    apparatus: house.apparatus,
  };
  return conductLaunches(asked, facts, watch, {
    open(isFirst, signal) {
      const look = async ({ listeners }: OpenTarget<MeshArm>) => {
        if (isFirst) await demandApplication(request, listeners, signal);
      };
      return openMesh(request, house, look, signal);
    },
    look: (facts, mesh: OpenMesh, signal) => factsWith(facts, request, mesh, signal),
    prepare: (mesh, generator, apparatus) => openInstruments(request, mesh, generator, apparatus),
    measure(launch, { target, generator, ...warm }, signal) {
      const failed = (where: string) => problemIn(request, target.listeners, generator, where);
      return measureLaunch(launch, { ...warm, request, times, problemIn: failed }, signal);
    },
  });
}

type MeshInstruments = Prepared<MeshArm> & { parts: ReturnType<typeof readingsHere<MeshPart>> };

async function openInstruments(
  request: MeshRequest,
  { application, listeners, processes }: OpenMesh,
  generator: Generator,
  apparatus: Apparatus,
): Promise<MeshInstruments> {
  const names = Object.keys(processes) as MeshPart[];
  const read = byArm(names, (part): Listener => ({ ...listeners.direct, arm: part, pid: processes[part] }));
  const placed = application.ours ? read : application.listeners;
  const placement = await apparatus.place(generator, { ours: application.ours, listeners: placed });
  await configureLoad(generator, meshArms, listeners, Object.values(processes), {
    ...{ scenario: scenarioOf(request), tls: defaultTlsProfile },
    ...{ connectionPolicy: 'keep-alive', connections: request.users ?? usualUsers, requestTimeoutMs },
  });
  const parts = readingsHere<MeshPart>(read, apparatus);
  parts.watch();
  return {
    bench: {
      ...{ arms: meshArms, generator, turnTransactions: 1 },
      readings: readingsOfArms(parts, request),
      cores: apparatus.coresOf(read['plain proxy']),
      beforeRound: application.beforeWindow,
      readHost: apparatus.readHost,
    },
    ...{ placement, parts },
    close: () => parts.close(),
  };
}

async function factsWith(
  facts: MeshFacts,
  request: MeshRequest,
  { application, listeners, proxyLibrary, files }: OpenMesh,
  signal: AbortSignal,
): Promise<MeshFacts> {
  const { negotiated, warnings } = await demandSame(request, listeners, signal);
  const { server } = application;
  const { proxy } = facts;
  return {
    ...facts,
    ...{ files, negotiated, warnings },
    proxy: { ...proxy, tlsLibrary: proxyLibrary ?? proxy.tlsLibrary },
    ...(server === null
      ? {}
      : { application: { title: server.title, version: server.version, tlsLibrary: server.tlsLibrary } }),
  };
}
