import type { LabEvent, LabPhase } from '../../../../shared/lab-progress.ts';
import type { RunState } from '../../../../shared/run.ts';

/** What a measurement of the lab has told so far, put together from its events. */
export type LiveLab = {
  lastId: number;
  state: RunState;
  queuePosition: number | null;
  phase: LabPhase | null;
  /** 0 to 1; never goes back. */
  fraction: number;
  roundsDone: number;
  roundsPlanned: number;
  secondsLeft: number | null;
  /** Provisional medians of CPU in microseconds, by cell. */
  cells: ReadonlyMap<string, number>;
};

export function beginLiveLab(state: RunState): LiveLab {
  return {
    lastId: -1,
    state,
    queuePosition: null,
    phase: null,
    fraction: 0,
    roundsDone: 0,
    roundsPlanned: 0,
    secondsLeft: null,
    cells: new Map(),
  };
}

/** Takes events in order; what was seen already, as after a replay, changes nothing. */
export function followLabEvents(lab: LiveLab, batch: readonly { id: number; event: LabEvent }[]): LiveLab {
  const news = batch.filter(({ id }) => id > lab.lastId);
  const last = news.at(-1);
  if (last === undefined) return lab;
  const cells = new Map(lab.cells);
  for (const { event } of news) {
    if (event.type === 'cells') for (const { cell, cpuUs } of event.medians) cells.set(cell, cpuUs);
  }
  return { ...news.reduce((current, { event }) => follow(current, event), lab), cells, lastId: last.id };
}

function follow(lab: LiveLab, event: LabEvent): LiveLab {
  switch (event.type) {
    case 'state':
      return { ...lab, state: event.state, queuePosition: event.queuePosition };
    case 'progress':
      return {
        ...lab,
        phase: event.phase,
        fraction: Math.max(lab.fraction, event.fraction),
        roundsDone: event.roundsDone,
        roundsPlanned: event.roundsPlanned,
        secondsLeft: event.secondsLeft,
      };
    case 'cells':
      return lab;
    case 'end':
      return { ...lab, state: event.state };
  }
}
