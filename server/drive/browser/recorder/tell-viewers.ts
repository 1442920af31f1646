import type { BrowserAction } from '../../../../shared/scenario/browser-actions.ts';
import {
  type RecorderMessage,
  type RecorderTab,
  type RefusedHost,
  recorderLimits,
} from '../../../../shared/scenario/recorder.ts';

/** Of what may change a thousand times a second. */
const tellEveryMs = 100;

type Sources = {
  steps(): BrowserAction[];
  requestCount(): number;
  tabs(): Promise<{ tabs: RecorderTab[]; shown: number }>;
  refusedHosts(): RefusedHost[];
};

/** Each reads its source and tells it when it differs from what was told last. */
type ViewerTold = {
  steps(from: number): void;
  requests(): void;
  tabs(): void;
  tabsSoon(): void;
  refused(): void;
  /** Everything once more, to who has just come. */
  all(): void;
};

/** @param tooMany told when there are more steps than a recording may have */
export function tellViewers(
  tell: (message: RecorderMessage) => void,
  sources: Sources,
  tooMany: () => void,
): ViewerTold {
  const lastTold = new Map<string, string>();
  let changedFrom = Number.POSITIVE_INFINITY;

  function tellChanged(message: RecorderMessage): void {
    const text = JSON.stringify(message);
    if (lastTold.get(message.type) === text) return;
    lastTold.set(message.type, text);
    tell(message);
  }

  function tellSteps(from: number): void {
    const steps = sources.steps();
    tell({ type: 'steps', from, steps: steps.slice(from) });
    if (steps.length >= recorderLimits.steps) tooMany();
  }

  const stepsSoon = atMostEvery(tellEveryMs, () => {
    const from = changedFrom;
    changedFrom = Number.POSITIVE_INFINITY;
    tellSteps(from);
  });
  const requests = () => tellChanged({ type: 'requests', count: sources.requestCount() });
  const tabs = () => void sources.tabs().then((list) => tellChanged({ type: 'tabs', ...list }));
  const refused = () => tellChanged({ type: 'refused', hosts: sources.refusedHosts() });
  return {
    steps(from) {
      changedFrom = Math.min(changedFrom, from);
      stepsSoon();
    },
    requests: atMostEvery(tellEveryMs, requests),
    tabs,
    tabsSoon: atMostEvery(tellEveryMs, tabs),
    refused,
    all() {
      lastTold.clear();
      tabs();
      tellSteps(0);
      requests();
      refused();
    },
  };
}

/** Calls at once, and again at the end of each interval in which it was called for. */
function atMostEvery(intervalMs: number, call: () => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  let again = false;
  const run = () => {
    timer = null;
    if (!again) return;
    again = false;
    start();
  };
  const start = () => {
    call();
    timer = setTimeout(run, intervalMs).unref();
  };
  return () => {
    if (timer === null) start();
    else again = true;
  };
}
