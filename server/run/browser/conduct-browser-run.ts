import { randomInt } from 'node:crypto';
import type { BrowserAction } from '../../../shared/browser-actions.ts';
import type { BrowserRun, JourneyBlock, JourneyVisit } from '../../../shared/browser-run.ts';
import { ProblemError, problem } from '../../../shared/problem.ts';
import type { TargetRequest } from '../../../shared/target.ts';
import type { Arm } from '../../../shared/transport.ts';
import { findChromium } from '../../browser/find-chromium.ts';
import { type Visitors, withVisitors } from '../../browser/journey/open-visitors.ts';
import { planBlocks } from '../../plan/block-order.ts';
import { moveActions } from '../../recording/move-actions.ts';
import { describeEnvironment } from '../../sampling/environment.ts';
import { type OpenTarget, openTarget, type RunHouse } from '../open-target.ts';
import { analyseJourneys } from './analyse-journeys.ts';
import { journeyNotes, type Spoken, spokenOf } from './journey-notes.ts';

export type BrowserRunRequest = {
  target: TargetRequest;
  /** A name for people, and what is done. Secrets are filled in already. */
  journey: { name: string; actions: readonly BrowserAction[] };
  blocks: number;
  seed: number | null;
};

export type BrowserRunHouse = RunHouse & {
  product: string;
  /** Cancels: the blocks until then are kept. */
  signal: AbortSignal;
  tell(done: number, planned: number): void;
};

const armOf: Record<string, Arm> = { A: 'baseline', B: 'comparison', N: 'twin' };

/**
 * A journey in a real browser over both transports and the twin, in mirrored blocks of a random order. One block before
 * them is discarded: it finds out whether the journey can be done at all.
 * Throws browser_missing, not_comparable, target_not_permitted and invalid_request.
 */
export async function conductBrowserRun(
  request: BrowserRunRequest,
  house: BrowserRunHouse,
): Promise<BrowserRun> {
  const executablePath = demandChromium(house);
  const seed = request.seed ?? randomInt(2 ** 31);
  const startedAt = Date.now();
  const { target: asked, journey } = request;
  // Says what is wrong with the journey before anything is started.
  moveActions(journey.actions, 'http://127.0.0.1');
  const target = await openTarget({ target: asked, transports: ['http', 'https'] }, house, house.signal);
  const blocks: JourneyBlock[] = [];
  let spoken: { http: Spoken; https: Spoken } | null = null;
  let browser = '';
  try {
    await withVisitors(executablePath, Object.values(target.listeners), house.signal, async (visitors) => {
      browser = visitors.browser;
      spoken = await rehearse(visitors, target, journey.actions);
      for (const { order } of planBlocks(seed, request.blocks).filter(({ kind }) => kind === 'steady')) {
        blocks.push(await measureBlock(order, visitors, target, journey.actions));
        house.tell(blocks.length, request.blocks);
        house.signal.throwIfAborted();
      }
    });
  } catch (error) {
    if (!house.signal.aborted) throw error;
  } finally {
    await target.stop();
  }
  return {
    state: house.signal.aborted ? 'incomplete' : 'finished',
    ...{ startedAt, endedAt: Date.now(), seed, journey: journey.name },
    target: asked === 'storefront' ? asked : `${asked.http} | ${asked.https}`,
    ...{ browser, environment: describeEnvironment(house.product, true) },
    rows: analyseJourneys(blocks),
    blocks,
    notes: journeyNotes(blocks, spoken, target.listeners.twin.port !== target.listeners.baseline.port),
  };
}

/** What cannot be done at all is refused before it is measured. */
async function rehearse(
  visitors: Visitors,
  target: OpenTarget,
  actions: readonly BrowserAction[],
): Promise<{ http: Spoken; https: Spoken }> {
  const look = async (arm: Arm) => {
    const listener = target.listeners[arm];
    try {
      return await visitors.visit(listener, (origin) => moveActions(actions, origin).actions);
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      const where = `${listener.transport} (${listener.hostname}:${listener.port})`;
      throw problem('not_comparable', `The journey cannot be done over ${where}: ${reasonOf(error)}.`, {
        cause: error,
      });
    }
  };
  const http = spokenOf((await look('baseline')).exchanges);
  const https = spokenOf((await look('comparison')).exchanges);
  await look('twin');
  return { http, https };
}

/** A visit that fails costs its block. */
async function measureBlock(
  order: string,
  visitors: Visitors,
  target: OpenTarget,
  actions: readonly BrowserAction[],
): Promise<JourneyBlock> {
  const visits: JourneyVisit[] = [];
  for (const letter of order) {
    const arm = armOf[letter] ?? 'baseline';
    try {
      const { cold, warm } = await visitors.visit(
        target.listeners[arm],
        (origin) => moveActions(actions, origin).actions,
      );
      visits.push({ arm, cold, warm });
    } catch (error) {
      return {
        order,
        visits,
        dropped: `A visit over ${target.listeners[arm].transport} failed: ${reasonOf(error)}.`,
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
  return first.replace(/\.$/, '');
}
