import { problem } from '../../../../shared/base/problem.ts';

/** Ends what loads a target without waiting in the queue: checks and probes. */
export type StopSwitch = {
  /** Aborted with load_stopped the next time that all load is stopped. */
  signal(): AbortSignal;
  press(): void;
};

export function openStopSwitch(): StopSwitch {
  let controller = new AbortController();
  return {
    signal: () => controller.signal,
    press() {
      controller.abort(loadStopped());
      controller = new AbortController();
    },
  };
}

export function loadStopped() {
  return problem('load_stopped', 'All load was stopped.');
}
