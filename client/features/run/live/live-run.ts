import type { MetricId } from '../../../../shared/metric.ts';
import type { ErrorGroup } from '../../../../shared/outcome.ts';
import type { RunEvent } from '../../../../shared/progress.ts';
import { type Phase, phases, type RunState } from '../../../../shared/run.ts';

/** What a run has told so far, put together from its events. */
export type LiveRun = {
  lastId: number;
  state: RunState;
  queuePosition: number | null;
  phase: Phase | null;
  /** 0 to 1. */
  fraction: number;
  blocksDone: number;
  blocksPlanned: number;
  secondsLeft: number | null;
  blocks: readonly LiveBlock[];
  medians: Extract<RunEvent, { type: 'block' }>['medians'];
  errors: readonly ErrorGroup[];
  ended: boolean;
};

export type LiveBlock = {
  index: number;
  dropped: readonly string[];
  ratios: Partial<Record<MetricId, number>>;
};

export function beginLiveRun(state: RunState): LiveRun {
  return {
    lastId: -1,
    state,
    queuePosition: null,
    phase: null,
    fraction: 0,
    blocksDone: 0,
    blocksPlanned: 0,
    secondsLeft: null,
    blocks: [],
    medians: {},
    errors: [],
    ended: false,
  };
}

/** Takes events in order; what was seen already, as after a replay, changes nothing. Fraction, phase and blocks only go forward. */
export function followEvents(run: LiveRun, batch: readonly { id: number; event: RunEvent }[]): LiveRun {
  return batch.reduce(
    (current, { id, event }) => (id <= current.lastId ? current : { ...follow(current, event), lastId: id }),
    run,
  );
}

function follow(run: LiveRun, event: RunEvent): LiveRun {
  switch (event.type) {
    case 'state':
      return { ...run, state: event.state, queuePosition: event.queuePosition };
    case 'progress':
      return {
        ...run,
        phase: later(run.phase, event.phase),
        fraction: Math.max(run.fraction, event.fraction),
        blocksDone: Math.max(run.blocksDone, event.blocksDone),
        blocksPlanned: Math.max(event.blocksPlanned, run.blocksDone, event.blocksDone),
        secondsLeft: event.secondsLeft,
      };
    case 'block': {
      const { index, dropped, ratios } = event;
      return { ...run, medians: event.medians, blocks: [...run.blocks, { index, dropped, ratios }] };
    }
    case 'errors':
      return { ...run, errors: event.groups };
    case 'end':
      return { ...run, state: event.state, ended: true };
  }
}

function later(current: Phase | null, next: Phase): Phase {
  return current !== null && phases.indexOf(current) > phases.indexOf(next) ? current : next;
}
