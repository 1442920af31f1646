import type { Environment } from '../../shared/environment.ts';
import type { HandshakesRequest } from '../../shared/lab.ts';
import { planHandshakes } from '../plan/lab/plan-handshakes.ts';
import { conductLab } from './conduct-lab.ts';
import { labCommand } from './lab/lab-command.ts';
import type { LabRoom } from './lab-room.ts';

/** The lab of this machine. */
export function openLabRoom(environment: Environment): LabRoom {
  return {
    titleOf: (request) => {
      const { cells } = planHandshakes(request);
      return `Handshakes: ${gridName(request)}, ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`;
    },
    conduct: (request, watch) => conductLab(request, { environment, ...watch }),
    nothingYet: (request) => ({
      kind: 'handshakes',
      state: 'queued',
      startedAt: null,
      endedAt: null,
      seed: request.seed ?? 0,
      problem: null,
      warnings: [],
      environment,
      command: labCommand(request, request.seed ?? 0),
      request,
      plan: { cells: 0, warmUps: 0, rounds: 0, roundsPlanned: 0, connectionsPlanned: 0 },
      cells: [],
      baseline: null,
      plain: [],
    }),
  };
}

function gridName({ grid }: HandshakesRequest): string {
  if (typeof grid !== 'string') return 'a grid of its own';
  return { classic: '1997 again', today: 'today', 'post-quantum': 'post-quantum', everything: 'everything' }[
    grid
  ];
}
