import { readOrder } from '../../../shared/base/arms.ts';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import type { Arm, BySide } from '../../../shared/base/transport.ts';
import type {
  Spoken,
  Visit,
  VisitsBlock,
  VisitsFacts,
  VisitsRequest,
} from '../../../shared/kinds/visits/visits.ts';
import type { MeasuringPhase } from '../../../shared/measurement/cells-progress.ts';
import type { Phase } from '../../../shared/measurement/estimate-progress.ts';
import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { findChromium } from '../../drive/browser/find-chromium.ts';
import { fillIn } from '../../drive/browser/replay/fill-in.ts';
import { withVisitors } from '../../drive/browser/visits/open-visitors.ts';
import { StuckError } from '../../drive/browser/visits/stuck-error.ts';
import type { ArmVisit } from '../../drive/browser/visits/visit-arm.ts';
import { moveActions } from '../../intake/traffic/move-actions.ts';
import { planBlocks } from '../../method/statistics/block-order.ts';
import { openTarget, type RunHouse } from '../../targets/open-target.ts';
import { searchJourney } from '../../targets/storefront/search-journey.ts';
import { demandStillHere } from '../demand-here.ts';
import type { Task, Watch } from '../kind.ts';
import { Progress } from '../progress.ts';
import { spokenOf } from './visit-notes.ts';
import { visitsAsked } from './visit-sides.ts';

const { arms } = visitsAsked;

/**
 * Visits of a real browser over both transports and the twin, in mirrored blocks of a random order. One round before
 * them is discarded: it finds out whether the journey can be done at all.
 */
export async function conductVisits(
  { request, facts, secrets }: Task<VisitsRequest, VisitsFacts>,
  { signal, tell, keep }: Watch<VisitsFacts, VisitsBlock>,
  house: RunHouse,
): Promise<void> {
  const executablePath = demandChromium(house);
  const phases = () => visitsPhases(request);
  const progress = new Progress({ phases, counts: { round: 'block', step: null } }, tell);
  progress.enter('preparing');
  const target = await openTarget({ target: request.target, ...visitsAsked }, house, signal);
  const { listeners } = target;
  try {
    demandStillHere(listeners);
    const listening = Object.values(listeners);
    await progress.during(() =>
      withVisitors(executablePath, listening, signal, async (visitors) => {
        let known: VisitsFacts = { ...facts, browser: visitors.browser };
        const visit = async (arm: Arm) => {
          const actionsAt = (origin: string) =>
            moveActions(journeyOf(request), origin).actions.map((action) => fillIn(action, secrets));
          try {
            return await visitors.visit(listeners[arm], actionsAt, Object.values(secrets));
          } catch (error) {
            if (error instanceof StuckError) {
              known = { ...known, stuck: error.stuck };
              await keep({ facts: known });
            }
            throw error;
          }
        };
        progress.enter('warm-up');
        const spoken = await rehearse(listeners, visit);
        const ownTwin = listeners.twin.port !== listeners.baseline.port;
        known = { ...known, spoken, ownTwin };
        await keep({ facts: known });
        progress.enter('measuring');
        const orders = planBlocks(arms, facts.seed, request.blocks).filter(({ kind }) => kind === 'steady');
        for (const { order } of orders) {
          const block = await measureBlock(order, listeners, visit);
          signal.throwIfAborted();
          await keep({ block });
          progress.endRound();
        }
      }),
    );
  } finally {
    await target.stop();
  }
}

function journeyOf({ journey }: VisitsRequest): readonly BrowserAction[] {
  return journey?.actions ?? searchJourney;
}

/** Of an arm, with a cold cache and a warm one: a short journey on two cores. */
const visitS = 2;

function visitsPhases({ blocks }: VisitsRequest): Phase<MeasuringPhase>[] {
  return [
    { name: 'preparing', seconds: 3 },
    { name: 'warm-up', seconds: 3 * visitS },
    { name: 'measuring', seconds: 6 * visitS * blocks, rounds: blocks },
  ];
}

type MakeVisit = (arm: Arm) => Promise<ArmVisit>;

/** What cannot be done at all is refused before it is measured. */
async function rehearse(listeners: Record<Arm, Listener>, visit: MakeVisit): Promise<BySide<Spoken>> {
  const look = async (arm: Arm) => {
    try {
      return await visit(arm);
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      const { transport, hostname, port } = listeners[arm];
      const where = `${transport} (${hostname}:${port})`;
      throw problem('not_comparable', `The journey failed over ${where}: ${reasonOf(error)}.`, {
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
  visit: MakeVisit,
): Promise<VisitsBlock> {
  const visits: Visit[] = [];
  for (const arm of readOrder(arms, order)) {
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
  if (path === null) throw problem('browser_missing', 'Browser visits need a Chromium.');
  return path;
}

/** Playwright puts its call log below the first line. */
function reasonOf(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return first.replace(/^\w+\.\w+: /, '').replace(/\.$/, '');
}
