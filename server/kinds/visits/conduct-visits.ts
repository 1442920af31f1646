import { byArm, namesOf, readOrder } from '../../../shared/base/arms.ts';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { type Arm, type BySide, type SideName, twoSidesAndTwin } from '../../../shared/base/transport.ts';
import type { MeasuredLink } from '../../../shared/kinds/comparison/link.ts';
import { type VisitProtocol, visitProtocolNames } from '../../../shared/kinds/visits/options.ts';
import {
  type Film,
  idleOf,
  type Pass,
  type PassKind,
  type Spoken,
  type VisitsBlock,
  type VisitsFacts,
  type VisitsRequest,
} from '../../../shared/kinds/visits/visits.ts';
import type {
  VisitedEvent,
  VisitingEvent,
  VisitsPhase,
} from '../../../shared/kinds/visits/visits-progress.ts';
import type { Phase } from '../../../shared/measurement/progress.ts';
import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import { type Listener, rootsOf } from '../../../shared/target/target.ts';
import { printProtocol } from '../../../shared/words/negotiated-words.ts';
import { causeOf, detailsOf } from '../../base/text/foreign-errors.ts';
import { demandChromium } from '../../drive/browser/find-chromium.ts';
import { fillIn, StuckError } from '../../drive/browser/pages.ts';
import { type ArmVisit, OutlivedError, type VisitOptions } from '../../drive/browser/visit-arm.ts';
import { type Reached, type Visitors, withVisitors } from '../../drive/browser/visitors.ts';
import { startLinks } from '../../drive/link/start-links.ts';
import { moveActions } from '../../intake/traffic/move-actions.ts';
import type { Exchange } from '../../intake/traffic/page-exchange.ts';
import { summariseAdded } from '../../method/statistics/estimates.ts';
import { planBlocks } from '../../method/statistics/windows.ts';
import { resumptionWitness } from '../../targets/managed/open-managed.ts';
import { openTarget, type RunHouse } from '../../targets/open/open-target.ts';
import { openSampler, samplingSupported } from '../../targets/sampling/process-sampler.ts';
import { searchJourney } from '../../targets/storefront/search-scenario.ts';
import { demandStillHere } from '../demand-here.ts';
import type { Task, Watch } from '../kind.ts';
import { Progress, withProcesses } from '../progress.ts';
import type { AnyEvent } from '../told-event.ts';
import { askVisits, type SeenVisit, typicalVisits } from './visits-report.ts';

/**
 * Visits of a real browser to both sides and the twin, in mirrored blocks of a random order. One round before
 * them is discarded: it finds out whether the journey can be done at all. Pictures are taken after them, on visits of their
 * own, because taking them slows the browser down.
 */
export async function conductVisits(
  { request, facts, secrets }: Task<VisitsRequest, VisitsFacts>,
  { signal, tell, keep }: Watch<VisitsFacts, VisitsBlock>,
  house: RunHouse,
): Promise<void> {
  const executablePath = demandChromium(house, 'Browser visits need a Chromium.');
  const phases = () => visitsPhases(request);
  const progress = new Progress({ phases, counts: { round: 'round', step: 'visit' } }, tell);
  progress.enter('preparing');
  await progress.during(() =>
    withListeners(request, house, signal, async (listeners) => {
      let known: VisitsFacts = facts;
      const note = async (more: Partial<VisitsFacts>) => {
        known = { ...known, ...more };
        await keep({ facts: known });
      };
      const arrived: Arrived = { baseline: {}, comparison: {} };
      const onPath = async (reached: Record<Arm, Reached>, link: number | undefined, ending: AbortSignal) => {
        const idleS = idleOf(request);
        const browse = async (visitors: Visitors) => {
          const guide = guideOf(request, { listeners: reached, visitors, secrets, arrived, tell, note });
          const isFirst = (link ?? 0) === 0;
          if (isFirst) progress.enter('warm-up');
          // Later ones are a part of the first round over their link.
          const advance = () => progress.advance();
          const spoken = await rehearse(request, reached, guide.visit, isFirst ? advance : () => {});
          const ownTwin = listeners.twin.port !== listeners.baseline.port;
          if (isFirst) await note({ browser: visitors.browser, spoken, ownTwin });
          progress.enter('measuring');
          const seen: SeenVisit[] = [];
          const orders = planBlocks(twoSidesAndTwin, facts.seed + (link ?? 0), request.blocks).filter(
            ({ kind }) => kind === 'steady',
          );
          for (const { order } of orders) {
            const { block, visits } = await measureBlock(order, request, guide.visit, { tell, advance });
            ending.throwIfAborted();
            await keep({ block: link === undefined ? block : { ...block, link } });
            if (block.dropped === null) seen.push(...visits);
            const waterfalls = typicalVisits(seen);
            await note({ arrived, ...(waterfalls === null ? {} : { waterfalls }) });
            progress.endRound();
          }
          if (link !== undefined && link < request.links.length - 1) return;
          progress.enter('filming');
          await note(await guide.film(advance, ending));
        };
        await withVisitors(executablePath, Object.values(reached), ending, browse, idleS);
      };
      if (request.links.length === 0) return onPath(listeners, undefined, signal);
      await overLinks(request, facts.seed, listeners, signal, onPath, (links) => note({ links }));
    }),
  );
}

type Arrived = NonNullable<VisitsFacts['arrived']>;

type OnPath = (reached: Record<Arm, Reached>, link: number, ending: AbortSignal) => Promise<void>;

/** Visits over each link in its turn: a browser finds its way to a link when it is launched. */
async function overLinks(
  { links: asked }: VisitsRequest,
  seed: number,
  listeners: Record<Arm, Listener>,
  signal: AbortSignal,
  onPath: OnPath,
  measured: (links: MeasuredLink[]) => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  const ending = AbortSignal.any([signal, failure.signal]);
  const known: MeasuredLink[] = asked.map((link) => ({ ...link, added: null }));
  await withProcesses(ending, async (start) => {
    const links = await start(startLinks(ending));
    links.failed.addEventListener('abort', () => failure.abort(links.failed.reason), { once: true });
    for (const [index, link] of asked.entries()) {
      const names = namesOf(twoSidesAndTwin);
      const all = names.map((arm) => listeners[arm]);
      const isOverUdp = all.some(({ http3 }) => http3 === true);
      const how = isOverUdp ? ({ protocol: 'UDP' } as const) : {};
      const path = isOverUdp ? { congestionControl: nearestToQuic, ...link } : link;
      const opened = await links.open(path, all, { ...how, seed: seed + index });
      const reached = byArm(names, (arm) => {
        const through = opened.ends[names.indexOf(arm)];
        return { ...listeners[arm], ...(through === undefined ? {} : { through }) };
      });
      await onPath(reached, index, ending);
      known[index] = {
        ...link,
        by: await opened.readBy(),
        added: summariseAdded(await opened.readAddedMs()),
      };
      await measured([...known]);
      await links.close();
    }
  }).catch((error) => {
    // A visit that is stopped at the end also fails.
    ending.throwIfAborted();
    throw error;
  });
}

/**
 * TCP’s congestion control beside QUIC’s, unless a link names one: the same family as that of quic-go, which is Caddy’s. Every Linux has it.
 * Source: quic-go, internal/ackhandler/sent_packet_handler.go (`use Reno`).
 */
const nearestToQuic = 'reno';

async function withListeners(
  request: VisitsRequest,
  house: RunHouse,
  signal: AbortSignal,
  use: (listeners: Record<Arm, Listener>) => Promise<void>,
): Promise<void> {
  const target = await openTarget(askVisits(request), house, signal);
  try {
    demandStillHere(target.listeners);
    await use(target.listeners);
  } finally {
    await target.stop();
  }
}

/** Time per arm, with a cold cache and a warm one: a short journey on two cores. */
const visitS = 2;

function visitsPhases(request: VisitsRequest): Phase<VisitsPhase>[] {
  const { blocks, links } = request;
  const rounds = blocks * Math.max(1, links.length);
  const eachS = visitS + (request.resumed ? returnMs(request) / 1000 + 1 : 0);
  return [
    { name: 'preparing', seconds: 3 },
    { name: 'warm-up', seconds: 3 * eachS, steps: 3 },
    { name: 'measuring', seconds: 6 * eachS * rounds, rounds, steps: 6 },
    { name: 'filming', seconds: 2 * visitS, steps: 2 },
  ];
}

/** Browsers acknowledge what came last and close a connection later than they could. */
const closingMs = 1500;

/** Until a visitor returns: both ends have closed idle connections, over the longest link too. */
function returnMs(request: VisitsRequest): number {
  return (
    1000 * (idleOf(request) ?? 0) +
    closingMs +
    Math.max(0, ...request.links.map(({ roundTripMs }) => roundTripMs))
  );
}

/** Refuses an impossible journey before it is measured. */
async function rehearse(
  request: VisitsRequest,
  listeners: Record<Arm, Listener>,
  visit: MakeVisit,
  advance: () => void,
): Promise<BySide<Spoken>> {
  const look = async (arm: Arm) => {
    try {
      const made = await visit(arm, { watchesScripts: true });
      advance();
      return made;
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      const { hostname, port, http3 } = listeners[arm];
      const where = `${protocolName(request, arm)} (${hostname}:${port})`;
      const detail = `The journey failed over ${where}: ${reasonOf(error)}.`;
      // The browser uses HTTP/3 alone there, so an Alt-Svc that names another place does not help.
      const outlived =
        'Leave out resumed visits. If a Chromium headless shell made them, install the whole Chromium: the shell keeps idle connections of HTTP/3.';
      const answer = `Let the server answer HTTP/3 on UDP port ${port} of the same address, and let the firewall pass it. An Alt-Svc header that names another place is not followed.`;
      const advice = error instanceof OutlivedError ? outlived : http3 === true ? answer : null;
      throw problem(
        'not_comparable',
        { detail, ...(advice === null ? {} : { advice }), ...detailsOf(error) },
        { cause: error },
      );
    }
  };
  const baseline = spokenOf(await look('baseline'));
  const comparison = spokenOf(await look('comparison'));
  await look('twin');
  return { baseline, comparison };
}

type Looked = {
  exchanges: readonly (Exchange & Pick<Spoken, 'tls'>)[];
  scripts: Spoken['scripts'] | null;
};

function spokenOf({ exchanges, scripts }: Looked): Spoken {
  const answered = exchanges.filter(({ status, fromCache }) => status > 0 && !fromCache);
  const unique = (texts: string[]) => [...new Set(texts)].filter((text) => text !== '').sort();
  return {
    protocols: unique(answered.map(({ protocol }) => protocol)),
    encodings: unique(answered.map(({ headers }) => headers['content-encoding'] ?? 'none')),
    tls: answered.find(({ tls }) => tls !== null)?.tls ?? null,
    ...(scripts == null ? {} : { scripts }),
  };
}

/** A visit that fails costs its block. */
async function measureBlock(
  order: string,
  request: VisitsRequest,
  visit: MakeVisit,
  { tell, advance }: { tell: (event: AnyEvent) => void; advance: () => void },
): Promise<{ block: VisitsBlock; visits: SeenVisit[] }> {
  const visits: SeenVisit[] = [];
  const block = (dropped: string | null) => ({
    block: { order, visits: visits.map(({ waterfall: _, ...passes }) => passes), dropped },
    visits,
  });
  for (const arm of readOrder(twoSidesAndTwin, order)) {
    try {
      const { cold, warm, resumed, waterfall } = await visit(arm);
      visits.push({ arm, cold, warm, ...(resumed === undefined ? {} : { resumed }), waterfall });
      const made: VisitedEvent = {
        ...{ type: 'visited', arm, cold: timesOf(cold), warm: timesOf(warm) },
        ...(resumed === undefined ? {} : { resumed: timesOf(resumed) }),
      };
      tell(made);
      advance();
    } catch (error) {
      // The sides are not what they are called any more.
      if (error instanceof ProblemError) throw error;
      return block(`A visit over ${protocolName(request, arm)} failed: ${reasonOf(error)}.`);
    }
  }
  return block(null);
}

function timesOf({ ttfbUs, fcpUs, lcpUs, loadUs }: Pass) {
  return { ttfbUs, fcpUs, lcpUs, loadUs };
}

type Party = {
  listeners: Record<Arm, Listener>;
  visitors: Visitors;
  secrets: SecretValues;
  /** Grows with each visit. */
  arrived: Arrived;
  tell: (event: AnyEvent) => void;
  note: (more: Partial<VisitsFacts>) => Promise<void>;
};

type MakeVisit = (arm: Arm, options?: Pick<VisitOptions, 'watchesScripts'>) => Promise<ArmVisit>;

type Guide = {
  visit: MakeVisit;
  /** Both sides once more, with pictures. A result without pictures is still one: then the facts say why. */
  film(advance: () => void, signal: AbortSignal): Promise<Pick<VisitsFacts, 'film' | 'unfilmed'>>;
};

const tellEveryMs = 1000;

/** Does the journey of a request on an arm, and tells what the browser does. */
function guideOf(request: VisitsRequest, party: Party): Guide {
  const { listeners, visitors, secrets, arrived, tell, note } = party;
  const journey = request.journey?.actions ?? (request.target.kind === 'managed' ? onePage : searchJourney);
  const readCpuUs = byArm(namesOf(twoSidesAndTwin), (arm) => cpuReader(listeners[arm]));
  const actionsAt = (origin: string) =>
    moveActions(journey, origin).actions.map((action) => fillIn(action, secrets));
  let toldAtMs = 0;
  const onAction = (arm: Arm) => (pass: PassKind, action: number) => {
    if (action > 1 && performance.now() - toldAtMs < tellEveryMs) return;
    toldAtMs = performance.now();
    const now: VisitingEvent = { type: 'visiting', arm, pass, action, actions: journey.length };
    tell(now);
  };
  return {
    async visit(arm, watching = {}) {
      try {
        const options = {
          ...{ secrets: Object.values(secrets), onAction: onAction(arm), ...watching },
          readServerCpuUs: readCpuUs[arm],
          returning: request.resumed ? { afterMs: returnMs(request), witness: resumptionWitness } : undefined,
        };
        const made = await visitors.visit(listeners[arm], actionsAt, options);
        demandProtocol(request, arm, made.arrivals);
        const own = arrived[sideOf(arm)];
        for (const { protocol } of made.arrivals) own[protocol] = (own[protocol] ?? 0) + 1;
        return made;
      } catch (error) {
        if (error instanceof StuckError) await note({ stuck: error.stuck });
        throw error;
      }
    },
    async film(advance, signal) {
      if (Object.keys(secrets).length > 0) {
        return { unfilmed: 'The journey types secrets, so it was not filmed.' };
      }
      const filmOf = async (arm: Arm): Promise<Film> => {
        const tellCold = onAction(arm);
        const film = await visitors.film(listeners[arm], actionsAt, (action) => tellCold('cold', action));
        advance();
        return film;
      };
      try {
        return { film: { baseline: await filmOf('baseline'), comparison: await filmOf('comparison') } };
      } catch (error) {
        signal.throwIfAborted();
        return { unfilmed: `The filmed visits failed: ${reasonOf(error)}.` };
      }
    },
  };
}

/** The page that a server of ours serves for visits. */
const onePage: BrowserAction[] = [{ type: 'goto', line: null, page: 0, url: '/page.html' }];

/** Undefined where the server's processes are not here, or are only read in steps that are longer than a visit. */
function cpuReader(listener: Listener): (() => number) | undefined {
  const roots = rootsOf(listener);
  if (roots.length === 0 || !samplingSupported()) return undefined;
  const sampler = openSampler(...roots);
  sampler.readCpuUs();
  return sampler.stepUs() === null ? () => sampler.readCpuUs() : undefined;
}

/** Names by which browsers tell the protocols that a side demands; a side of HTTP or HTTPS takes what the server offers. */
const demanded: Partial<Record<VisitProtocol, string>> = { h2: 'h2', h3: 'h3' };

/**
 * Refuses a side that spoke something else, if only once: a browser that cannot connect over HTTP/3 turns to HTTP/2 without a word. Throws
 * not_comparable.
 */
export function demandProtocol(
  request: Pick<VisitsRequest, SideName>,
  arm: Arm,
  arrivals: ArmVisit['arrivals'],
): void {
  const wanted = demanded[request[sideOf(arm)]];
  if (wanted === undefined) return;
  const strays = arrivals.filter(({ protocol }) => protocol !== wanted);
  const [stray] = strays;
  if (stray === undefined && arrivals.length > 0) return;
  const name = protocolName(request, arm);
  if (stray === undefined)
    throw problem('not_comparable', `No response of the ${name} side came over the network.`);
  const share = `${printNumber(strays.length, 0)} of ${printNumber(arrivals.length, 0)} responses`;
  const path = new URL(stray.url).pathname;
  throw problem('not_comparable', {
    detail: `${share} of the ${name} side did not come over ${name}: ${path} came over ${printProtocol(stray.protocol)}.`,
    advice: `Let the server speak ${name} at this address${wanted === 'h2' ? ', and no Alt-Svc that leads away from it' : ''}, or choose another side. If Chromium is kept from QUIC by a policy, allow it.`,
  });
}

function sideOf(arm: Arm): SideName {
  return arm === 'comparison' ? 'comparison' : 'baseline';
}

function protocolName(request: Pick<VisitsRequest, SideName>, arm: Arm): string {
  return visitProtocolNames[request[sideOf(arm)]];
}

function reasonOf(error: unknown): string {
  return causeOf(error) ?? 'the browser failed (details)';
}
