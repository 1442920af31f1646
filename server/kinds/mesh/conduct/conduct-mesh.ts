import { byArm, namesOf } from '../../../../shared/base/arms.ts';
import { defaultTlsProfile } from '../../../../shared/base/tls-profile.ts';
import {
  type MeshArm,
  type MeshFacts,
  type MeshLaunch,
  type MeshRequest,
  meshArms,
} from '../../../../shared/kinds/mesh/mesh.ts';
import type { Listener } from '../../../../shared/target/target.ts';
import { demandSockets } from '../../../base/addresses/socket-limits.ts';
import { countSources } from '../../../base/process/source-addresses.ts';
import type { Generator } from '../../../drive/load/start-generator.ts';
import type { OpenTarget } from '../../../targets/open-target.ts';
import { readSocketLimits } from '../../../targets/sampling/socket-limits.ts';
import { type Apparatus, readingsHere, realApparatus } from '../../apparatus.ts';
import type { LoadInstruments } from '../../comparison/conduct/instruments.ts';
import { warmToLoad } from '../../comparison/conduct/warm-to-load.ts';
import type { ConfiguredHouse } from '../../house.ts';
import type { Task, Watch } from '../../kind.ts';
import { Progress } from '../../progress.ts';
import { whileAlive } from '../../while-alive.ts';
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

const arms = namesOf<MeshArm>(meshArms);

/**
 * Launch after launch of application and proxies, each warmed up and measured. Whatever happens, they and the generator are gone
 * when it returns.
 */
export async function conductMesh(
  { request, facts: planned }: Task<MeshRequest, MeshFacts, MeshLaunch>,
  { signal, tell, keep }: Watch<MeshFacts, MeshLaunch>,
  house: ConfiguredHouse,
  times: MeshTimes = usualTimes,
): Promise<void> {
  const apparatus = house.apparatus ?? realApparatus;
  const phases = () => meshPhases(request);
  const progress = new Progress({ phases, counts: { round: 'launch', step: null } }, tell);
  progress.enter('preparing');
  const asked = { plan: loadPlanOf(request), scenario: scenarioOf(request), labels: labelsOf(request) };
  const generator = await apparatus.startGenerator(1, signal);
  let facts = planned;
  try {
    await progress.during(async () => {
      for (let launch = 0; launch < request.launches; launch++) {
        await whileAlive(signal, openFor(request, house, launch === 0), async (mesh, signal) => {
          const instruments = await openInstruments(request, mesh, generator, apparatus);
          if (launch === 0) {
            facts = await factsWith(facts, request, mesh, instruments.placement, signal);
            await keep({ facts });
            progress.enter('measuring');
          }
          const seed = (facts.seed + 104_729 * (launch + 1)) % 2 ** 31;
          const load = await warmToLoad(asked, instruments, facts.load, seed, signal);
          if (facts.load === null) facts = { ...facts, load };
          const failed = (where: string) => problemIn(request, mesh.listeners, generator, where);
          const under = {
            request,
            load,
            instruments,
            parts: instruments.parts,
            seed,
            times,
            problemIn: failed,
          };
          const block = await measureLaunch(launch, under, signal);
          instruments.parts.close();
          await keep({ facts, block });
        });
        progress.endRound();
      }
    });
  } finally {
    await generator.stop();
  }
}

function openFor(request: MeshRequest, house: ConfiguredHouse, isFirst: boolean) {
  return (signal: AbortSignal) => {
    const look = async ({ listeners }: OpenTarget<MeshArm>) => {
      if (isFirst) await demandApplication(request, listeners, signal);
    };
    return openMesh(request, house, look, signal);
  };
}

type MeshInstruments = LoadInstruments<MeshArm> & {
  parts: ReturnType<typeof readingsHere<MeshPart>>;
  placement: MeshFacts['placement'];
};

async function openInstruments(
  request: MeshRequest,
  { application, listeners, processes }: OpenMesh,
  generator: Generator,
  apparatus: Apparatus,
): Promise<MeshInstruments> {
  const { connections } = request;
  const names = Object.keys(processes) as MeshPart[];
  const read = byArm(names, (part): Listener => ({ ...listeners.direct, arm: part, pid: processes[part] }));
  const placed = application.ours ? read : application.listeners;
  const placement = await apparatus.place(generator, { ours: application.ours, listeners: placed });
  const sources = Math.min(...arms.map((arm) => countSources(listeners[arm].address, 'keep-alive')));
  const owners = [
    ...generator.pids.map((pid) => ({ owner: 'the load generator', pid })),
    ...Object.values(processes).map((pid) => ({ owner: 'the target', pid })),
  ];
  const limits = readSocketLimits(owners, { elsewhere: false, sources });
  demandSockets(limits, connections, arms.length * connections);
  await generator.configure({
    listeners: arms.map((arm) => listeners[arm]),
    scenario: scenarioOf(request),
    tls: defaultTlsProfile,
    ...{ connectionPolicy: 'keep-alive', connections, requestTimeoutMs },
  });
  const parts = readingsHere<MeshPart>(read, apparatus);
  parts.watch();
  return {
    ...{ arms: meshArms, generator, turnTransactions: 1, placement, parts },
    readings: readingsOfArms(parts, request),
    cores: apparatus.coresOf(read['plain proxy']),
    beforeWindow: application.beforeWindow,
    readHost: apparatus.readHost,
  };
}

async function factsWith(
  facts: MeshFacts,
  request: MeshRequest,
  { application, listeners, proxyLibrary, files }: OpenMesh,
  placement: MeshFacts['placement'],
  signal: AbortSignal,
): Promise<MeshFacts> {
  const { negotiated, warnings } = await demandSame(request, listeners, signal);
  const { server } = application;
  const { proxy } = facts;
  return {
    ...facts,
    ...{ placement, files, negotiated, warnings },
    proxy: { ...proxy, tlsLibrary: proxyLibrary ?? proxy.tlsLibrary },
    ...(server === null
      ? {}
      : { application: { title: server.title, version: server.version, tlsLibrary: server.tlsLibrary } }),
  };
}
