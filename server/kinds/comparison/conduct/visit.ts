import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Arm } from '../../../../shared/base/transport.ts';
import type { CacheReport } from '../../../../shared/kinds/comparison/cache-report.ts';
import { setSessionPriority } from '../../../base/process/set-session-priority.ts';
import { cacheUnavailable } from '../../../drive/browser/cache-unavailable.ts';
import { type CacheMeasurement, measureCache } from '../../../drive/browser/measure-cache.ts';
import { type OpenTarget, openTarget, type RunHouse } from '../../../targets/open-target.ts';
import { planVisit } from './plan-visit.ts';
import type { RunUnderWay } from './run-under-way.ts';

/** A browser's visit to a run's target. */
export type Visit = {
  /** What measuring has to wait for; null where the browser goes on beside it. */
  before: Promise<unknown> | null;
  /** Nothing is measured any more: it may use the cores, and has a few seconds to come to an end. */
  finish(): Promise<CacheReport>;
  /** Ends it, and resolves when nothing of it is left. */
  end(): Promise<unknown>;
};

/** Where the run waits for it, and where the browser goes on beside it. */
const timeoutMs = { before: 6000, beside: 60_000 };
const lowest = 19;
const usual = 0;
/** For a busy machine, where it got nearly nothing of the cores meanwhile. */
const longestFinishMs = 8000;
const lookEveryMs = 50;

/**
 * A browser must not visit what is measured meanwhile: its requests would count for one side. A target that is started here is
 * started once more for it, and the browser gets what the run leaves of the cores, so that the visit prolongs nothing; one that stands
 * already is visited while it is warmed up. A browser that is missing or fails costs the cache section, not the run.
 */
export function beginVisit(
  run: RunUnderWay,
  target: OpenTarget<Arm>,
  house: RunHouse,
  signal: AbortSignal,
): Visit {
  const planned = planVisit(run, target, house);
  if (typeof planned === 'string') {
    run.isVisiting = false;
    return { before: null, finish: async () => cacheUnavailable(planned), end: async () => {} };
  }
  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal]);
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-visit-'));
  const pidFile = join(directory, 'pid');
  const visiting = target.ours
    ? visitAnother(run, house, { ...planned, pidFile, timeoutMs: timeoutMs.beside, signal: until })
    : visit(target, { ...planned, timeoutMs: timeoutMs.before, signal: until });
  const report = visiting.finally(() => rmSync(directory, { recursive: true, force: true }));
  const over = report
    .catch(() => {})
    .then(() => {
      run.isVisiting = false;
    });
  const setPriority = (nice: number) => {
    const leader = readPid(pidFile);
    if (leader !== null) setSessionPriority(leader, nice);
    return leader !== null;
  };
  const untilStarted = setInterval(() => {
    if (setPriority(lowest)) clearInterval(untilStarted);
  }, lookEveryMs);
  void over.then(() => clearInterval(untilStarted));
  return {
    before: target.ours ? null : over,
    finish() {
      clearInterval(untilStarted);
      setPriority(usual);
      const late = new Promise<CacheReport>((resolve) => {
        const giveUp = () => {
          ended.abort();
          resolve(
            cacheUnavailable('The machine was too busy for the browser to end its visits beside the run.'),
          );
        };
        const timer = setTimeout(giveUp, longestFinishMs);
        void over.then(() => clearTimeout(timer));
      });
      return Promise.race([report, late]);
    },
    end() {
      ended.abort();
      return over;
    },
  };
}

type Choice = Omit<CacheMeasurement, 'baseline' | 'comparison' | 'caPem'> & { signal: AbortSignal };

/** Of the sides alone: nobody visits the twin. */
async function visitAnother({ asked }: RunUnderWay, house: RunHouse, choice: Choice): Promise<CacheReport> {
  const arms = asked.arms.filter(({ twinOf }) => twinOf === undefined);
  const target = await openTarget({ ...asked, arms }, house, choice.signal);
  try {
    return await visit(target, choice);
  } finally {
    await target.stop();
  }
}

function visit(
  { listeners: { baseline, comparison } }: OpenTarget<Arm>,
  choice: Choice,
): Promise<CacheReport> {
  return measureCache({ ...choice, baseline, comparison, caPem: comparison.ca });
}

/** Null before the browser has started, and after it has ended. */
function readPid(file: string): number | null {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || null;
  } catch {
    return null;
  }
}
