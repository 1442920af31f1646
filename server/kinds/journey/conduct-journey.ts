import { randomInt } from 'node:crypto';
import type { BrowserAction } from '../../../shared/browser-actions.ts';
import type {
  BrowserOutcome,
  BrowserRequest,
  JourneyBlock,
  JourneyVisit,
} from '../../../shared/browser-run.ts';
import type { Environment } from '../../../shared/environment.ts';
import type { LabPhase, LabStep } from '../../../shared/lab-progress.ts';
import { ProblemError, problem } from '../../../shared/problem.ts';
import type { SecretValues } from '../../../shared/scenario.ts';
import type { Listener } from '../../../shared/target.ts';
import { type Arm, type BySide, pairOf } from '../../../shared/transport.ts';
import { findChromium } from '../../browser/find-chromium.ts';
import { withVisitors } from '../../browser/journey/open-visitors.ts';
import type { ArmVisit } from '../../browser/journey/visit-arm.ts';
import { fillIn } from '../../browser/replay/fill-in.ts';
import { cancelled, type Ended, interrupted } from '../../measurement/ended.ts';
import { planBlocks } from '../../statistics/block-order.ts';
import { type OpenTarget, openTarget, type RunHouse } from '../../target/open-target.ts';
import { searchJourney } from '../../target/storefront/search-journey.ts';
import { maskSecrets } from '../../traffic/mask-secrets.ts';
import { moveActions } from '../../traffic/move-actions.ts';
import { analyseJourneys } from './analyse-journeys.ts';
import { browserCommand } from './browser-command.ts';
import { journeyNotes, type Spoken, spokenOf } from './journey-notes.ts';
import { journeySides } from './journey-sides.ts';

export type BrowserRunHouse = RunHouse & {
  environment: Environment;
  /** Of the secrets that the journey names; in no outcome. */
  secrets: SecretValues;
  /** Cancels: the blocks until then are kept. */
  signal: AbortSignal;
  tell(step: LabStep): void;
  /** Told after each block what there is until then, as it would stand if nothing more came. */
  keep?(soFar: BrowserOutcome): void;
};

const armOf: Record<string, Arm> = { A: 'baseline', B: 'comparison', N: 'twin' };

/**
 * A journey in a real browser over both transports and the twin, in mirrored blocks of a random order. One round before
 * them is discarded: it finds out whether the journey can be done at all. What goes wrong on the way, or a cancellation, is the
 * outcome's problem, and the blocks before it are in it.
 */
export async function conductBrowserRun(
  request: BrowserRequest,
  house: BrowserRunHouse,
): Promise<BrowserOutcome> {
  const seed = request.seed ?? randomInt(2 ** 31);
  const startedAt = Date.now();
  const notes: Notes = { blocks: [], spoken: null, browser: '', ownTwin: true };
  const mask = maskSecrets(house.secrets);
  const outcomeOf = ({ state, problem }: Ended): BrowserOutcome =>
    mask({
      ...{ kind: 'browser', state, startedAt, endedAt: Date.now(), seed, problem, warnings: [], request },
      ...{ environment: house.environment, command: browserCommand(request, seed), browser: notes.browser },
      sides: journeySides,
      ...{ rows: analyseJourneys(notes.blocks), blocks: notes.blocks },
      notes: journeyNotes(notes.blocks, notes.spoken, notes.ownTwin),
    });
  const keep = () => house.keep?.(outcomeOf(interrupted()));
  return outcomeOf(await measureAll(request, seed, notes, house, keep));
}

type Notes = {
  blocks: JourneyBlock[];
  spoken: BySide<Spoken> | null;
  browser: string;
  ownTwin: boolean;
};

async function measureAll(
  request: BrowserRequest,
  seed: number,
  notes: Notes,
  house: BrowserRunHouse,
  afterBlock: () => void,
): Promise<Ended> {
  const { signal, secrets } = house;
  let target: OpenTarget | null = null;
  try {
    const executablePath = demandChromium(house);
    house.tell(progressOf('preparing', 0, request.blocks, null));
    target = await openTarget({ target: request.target, transports: pairOf(journeySides) }, house, signal);
    const { listeners } = target;
    notes.ownTwin = listeners.twin.port !== listeners.baseline.port;
    await withVisitors(executablePath, Object.values(listeners), signal, async (visitors) => {
      notes.browser = visitors.browser;
      const visit = (arm: Arm) =>
        visitors.visit(listeners[arm], (origin) =>
          moveActions(journeyOf(request), origin).actions.map((action) => fillIn(action, secrets)),
        );
      house.tell(progressOf('warm-up', 0, request.blocks, null));
      notes.spoken = await rehearse(listeners, visit);
      const startedAt = performance.now();
      for (const { order } of planBlocks(seed, request.blocks).filter(({ kind }) => kind === 'steady')) {
        notes.blocks.push(await measureBlock(order, listeners, visit));
        signal.throwIfAborted();
        const done = notes.blocks.length;
        const perBlockS = (performance.now() - startedAt) / 1000 / done;
        house.tell(progressOf('measuring', done, request.blocks, perBlockS * (request.blocks - done)));
        afterBlock();
      }
    });
    return { state: 'finished', problem: null };
  } catch (error) {
    if (signal.aborted) return cancelled(signal);
    if (!(error instanceof ProblemError)) throw error;
    return { state: 'failed', problem: error.problem };
  } finally {
    await target?.stop();
  }
}

export function journeyOf({ journey }: BrowserRequest): readonly BrowserAction[] {
  return journey?.actions ?? searchJourney;
}

const visitsOfBlock = 6;

function progressOf(phase: LabPhase, done: number, planned: number, secondsLeft: number | null): LabStep {
  return {
    ...{ type: 'progress', phase, fraction: done / planned, secondsLeft },
    ...{
      cellsDone: done === 0 ? 0 : visitsOfBlock,
      cellsPlanned: visitsOfBlock,
      roundsDone: done,
      roundsPlanned: planned,
    },
  };
}

type Visit = (arm: Arm) => Promise<ArmVisit>;

/** What cannot be done at all is refused before it is measured. */
async function rehearse(listeners: Record<Arm, Listener>, visit: Visit): Promise<BySide<Spoken>> {
  const look = async (arm: Arm) => {
    try {
      return await visit(arm);
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      const { transport, hostname, port } = listeners[arm];
      const where = `${transport} (${hostname}:${port})`;
      throw problem('not_comparable', `The journey cannot be done over ${where}: ${reasonOf(error)}.`, {
        cause: error,
      });
    }
  };
  const baseline = spokenOf((await look('baseline')).exchanges);
  const comparison = spokenOf((await look('comparison')).exchanges);
  await look('twin');
  return { baseline, comparison };
}

/** A visit that fails costs its block. */
async function measureBlock(
  order: string,
  listeners: Record<Arm, Listener>,
  visit: Visit,
): Promise<JourneyBlock> {
  const visits: JourneyVisit[] = [];
  for (const letter of order) {
    const arm = armOf[letter] ?? 'baseline';
    try {
      const { cold, warm } = await visit(arm);
      visits.push({ arm, cold, warm });
    } catch (error) {
      return {
        order,
        visits,
        dropped: `A visit over ${listeners[arm].transport} failed: ${reasonOf(error)}.`,
      };
    }
  }
  return { order, visits, dropped: null };
}

function demandChromium({ chromiumPath }: RunHouse): string {
  const chosen = chromiumPath === null ? {} : { CHROMIUM_PATH: chromiumPath };
  const path = findChromium({ ...process.env, ...chosen });
  if (path === null) throw problem('browser_missing', 'A browser run needs a Chromium.');
  return path;
}

/** Playwright puts its call log below the first line. */
function reasonOf(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return first.replace(/^\w+\.\w+: /, '').replace(/\.$/, '');
}
