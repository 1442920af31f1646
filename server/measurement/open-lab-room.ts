import type { Environment } from '../../shared/environment.ts';
import type { HandshakesOutcome, HandshakesRequest } from '../../shared/lab.ts';
import type { SpeedOutcome, SpeedRequest } from '../../shared/speed.ts';
import { conductLab } from '../kinds/handshakes/conduct/conduct-handshakes.ts';
import { labCommand } from '../kinds/handshakes/plan/lab-command.ts';
import { planHandshakes } from '../kinds/handshakes/plan/plan-handshakes.ts';
import { noBrowserRun, titleOfBrowserRun } from '../kinds/journey/browser-room.ts';
import { conductBrowserRun } from '../kinds/journey/conduct-journey.ts';
import { conductSpeed } from '../kinds/primitives/conduct/conduct-primitives.ts';
import { planSpeed } from '../kinds/primitives/plan/plan-speed.ts';
import { speedCommand } from '../kinds/primitives/plan/speed-command.ts';
import type { RunHouse } from '../target/open-target.ts';
import type { LabRoom } from './lab-room.ts';

/** The lab of this machine. */
export function openLabRoom(environment: Environment, house: RunHouse): LabRoom {
  return {
    titleOf(request) {
      switch (request.kind) {
        case 'handshakes':
          return titleOfGrid(request);
        case 'speed':
          return titleOfSpeed(request);
        case 'browser':
          return titleOfBrowserRun(request);
      }
    },
    conduct(request, watch) {
      switch (request.kind) {
        case 'handshakes':
          return conductLab(request, { environment, ...watch });
        case 'speed':
          return conductSpeed(request, { environment, ...watch });
        case 'browser':
          return conductBrowserRun(request, { ...house, environment, secrets: {}, ...watch });
      }
    },
    nothingYet(request) {
      switch (request.kind) {
        case 'handshakes':
          return noGrid(request, environment);
        case 'speed':
          return noSpeed(request, environment);
        case 'browser':
          return noBrowserRun(request, environment);
      }
    },
  };
}

const gridNames = {
  classic: '1997 again',
  today: 'today',
  'post-quantum': 'post-quantum',
  everything: 'everything',
};

function titleOfGrid(request: HandshakesRequest): string {
  const { cells } = planHandshakes(request);
  const name = typeof request.grid === 'string' ? gridNames[request.grid] : 'a grid of its own';
  return `Handshakes: ${name}, ${counted(cells.length, 'cell')}`;
}

function titleOfSpeed(request: SpeedRequest): string {
  const { tasks } = planSpeed(request);
  return `Primitives: ${request.names?.join(', ') ?? 'all'}, ${counted(tasks.length, 'figure')}`;
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

const notBegun = {
  state: 'queued',
  startedAt: null,
  endedAt: null,
  problem: null,
} as const;

function noGrid(request: HandshakesRequest, environment: Environment): HandshakesOutcome {
  const seed = request.seed ?? null;
  return {
    kind: 'handshakes',
    ...notBegun,
    warnings: [],
    seed,
    environment,
    command: labCommand(request, seed),
    request,
    plan: { cells: 0, warmUps: 0, rounds: 0, roundsPlanned: 0, connectionsPlanned: 0 },
    cells: [],
    baseline: null,
    plain: [],
  };
}

function noSpeed(request: SpeedRequest, environment: Environment): SpeedOutcome {
  const seed = request.seed ?? null;
  return {
    kind: 'speed',
    ...notBegun,
    warnings: [],
    seed,
    environment,
    command: speedCommand(request, seed),
    request,
    plan: { primitives: 0, rounds: 0, roundsPlanned: 0, sliceMs: 0, opensslSliceMs: 0 },
    rows: [],
    costs: [],
    emptyCalls: [],
    unavailable: [],
    opensslProgram: null,
  };
}
