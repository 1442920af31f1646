import { randomBytes } from 'node:crypto';
import { problem } from '../../../shared/base/problem.ts';
import { twoSidesAndTwin } from '../../../shared/base/transport.ts';
import type { RecordingRequest, ReplayRequest } from '../../../shared/scenario/recorder.ts';
import type { Permit } from '../../../shared/target/target.ts';
import type { OwnListener } from '../../base/addresses/target-policy.ts';
import type { Recording } from '../../drive/browser/capture-exchanges.ts';
import { demandChromium } from '../../drive/browser/find-chromium.ts';
import { moveActions } from '../../intake/traffic/move-actions.ts';
import type { Recorded } from '../../intake/traffic/recording-report.ts';
import { namedSecrets } from '../../intake/traffic/spellings.ts';
import { openTarget, type RunHouse } from '../../targets/open/open-target.ts';
import { startLimit } from '../../targets/preflight/resolve-origins.ts';
import { type MachineQueue, takeMachine } from '../measurement/machine-queue.ts';
import { newPermalinkId } from '../measurement/tokens.ts';
import {
  type Holder,
  mayEnd,
  mayHold,
  mayTakeOver,
  type OnReached,
  type RecordingControl,
  type Watcher,
} from './recording-control.ts';

const replayMs = 3 * 60_000;

/** One recording at a time, and none beside a measurement. */
export function openRecordingControl(house: RunHouse, queue: MachineQueue): RecordingControl {
  const { sessions, known, held } = openSessions();

  const open = (at: string, holder: Holder, begin: Begin) =>
    openSession({ house, queue, sessions }, at, holder, begin);

  return {
    async create(request, onReached, by) {
      const sid = await open(request.url, by, (start, around, id) => {
        const watcher = () => sessions.get(id)?.stage?.watcher;
        return openStage(start, request, onReached, { ...around, watcher });
      });
      return { sid, ticket: newTicket(stageOf(known(sid), sid)), url: `/record/${sid}` };
    },

    async replay(request, onReached, by) {
      demandSecrets(request);
      // The storefront's port is known once it has started; any stands for it in the check.
      const at = request.at === 'storefront' ? 'http://127.0.0.1' : (request.at ?? null);
      const asked = moveActions(request.actions, at);
      const sid = await open(
        request.at === 'storefront' ? 'storefront' : asked.url,
        by,
        async (start, { executablePath, signal }) => {
          const patience = AbortSignal.any([signal, AbortSignal.timeout(replayMs)]);
          const recorded = replayAt(start, request, onReached, executablePath, patience);
          return { name: request.name ?? 'Replayed', recorded, stage: null };
        },
      );
      return { sid };
    },

    ticket(sid, by) {
      const session = known(sid);
      const tookOver = mayTakeOver(session.holder, by);
      if (tookOver) session.holder = by;
      return { ticket: newTicket(stageOf(held(sid, by), sid)), tookOver };
    },

    watch(sid, ticket, watcher, by) {
      const stage = stageOf(held(sid, by), sid);
      if (!stage.tickets.delete(ticket)) return null;
      stage.watcher?.dismiss();
      stage.watcher = watcher;
      stopWaiting(stage);
      stage.recording.greet();
      return {
        input: (input) => stage.recording.input(input),
        leave() {
          if (stage.watcher !== watcher) return;
          stage.watcher = null;
          waitForWatcher(stage);
        },
      };
    },

    ...endings(sessions, queue),

    async finish(sid, { name, choices }, by) {
      const { recorded, stage, over, ...session } = held(sid, by);
      stage?.recording.end('finished');
      const { reportOfRecording } = await import('../../intake/traffic/recording-report.ts');
      const report = reportOfRecording(await recorded, name ?? session.name, choices);
      await over;
      return session.atStorefront ? { ...report, site: 'storefront' } : report;
    },
  };
}

/** Access to the recording that is using the machine, without its ID. */
function endings(
  sessions: Map<string, Session>,
  queue: MachineQueue,
): Pick<RecordingControl, 'open' | 'end'> {
  const openNow = () => [...sessions].find(([, { isOver }]) => !isOver);
  return {
    open(by) {
      const [sid, session] = openNow() ?? [];
      if (session === undefined || !mayEnd(session.holder, by)) return null;
      return { startedAt: session.startedAt, url: mayHold(session.holder, by) ? `/record/${sid}` : null };
    },

    async end(by) {
      const [sid, session] = openNow() ?? [];
      if (sid === undefined || session === undefined)
        throw problem('recording_not_found', 'No recording is open.');
      if (!mayEnd(session.holder, by))
        throw problem('recording_not_yours', 'Only the person who started it or an admin can end it.');
      sessions.delete(sid);
      queue.abortRunning(problem('recording_not_found', 'The recording was ended and discarded.'));
      await session.over;
    },
  };
}

function demandSecrets({ actions, secrets }: ReplayRequest): void {
  const [missing] = namedSecrets(actions).filter((name) => !Object.hasOwn(secrets, name));
  if (missing !== undefined) throw problem('secret_missing', `The secret “${missing}” has no value.`);
}

/** The storefront has a port only now, so where the actions begin is known only now as well. */
async function replayAt(
  start: Start,
  { actions, at, secrets }: ReplayRequest,
  onReached: OnReached,
  executablePath: string,
  signal: AbortSignal,
): Promise<Recorded> {
  const origin = at === undefined ? null : new URL(start.url).origin;
  const moved = moveActions(actions, origin);
  const { replayActions } = await import('../../drive/browser/replay-actions.ts');
  return replayActions({
    ...moved,
    ...{ executablePath, secrets, signal, onReached },
    known: start.known,
    permits: start.permits,
    own: start.own,
  });
}

/** A recording is in memory only, and stays there this long after its end. */
const keptMs = 10 * 60_000;

type Parts = Pick<Sessions, 'sessions'> & { house: RunHouse; queue: MachineQueue };

/** Starts what is recorded. */
type Begin = (
  start: Start,
  around: { executablePath: string; signal: AbortSignal },
  sid: string,
) => Promise<Omit<Session, 'over' | 'isOver' | 'holder' | 'startedAt' | 'atStorefront'>>;

/** Opens a session when the machine is free, and keeps the machine until it is over. Throws browser_missing, machine_busy. */
async function openSession(
  { house, queue, sessions }: Parts,
  at: string,
  holder: Holder,
  begin: Begin,
): Promise<string> {
  const executablePath = demandChromium(house, 'Recording needs Chromium.');
  const sid = newPermalinkId();
  const opened = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();

  async function perform(signal: AbortSignal): Promise<void> {
    const start = await openStart(at, house, signal);
    try {
      const session = await begin(start, { executablePath, signal }, sid);
      sessions.set(sid, {
        ...session,
        ...{ holder, startedAt: Date.now(), atStorefront: at === 'storefront' },
        ...{ over: over.promise, isOver: false },
      });
      opened.resolve();
      // The request for the report gets this problem.
      await session.recorded.catch(() => {});
      setTimeout(() => sessions.delete(sid), keptMs).unref();
    } finally {
      await start.close();
    }
  }

  takeMachine(queue, 'recording', perform)
    .catch(opened.reject)
    .finally(() => {
      const session = sessions.get(sid);
      if (session !== undefined) session.isOver = true;
      over.resolve();
    });
  await opened.promise;
  return sid;
}

/** A recording under way, or one that is over and still in memory. */
type Session = {
  holder: Holder;
  startedAt: number;
  name: string;
  /** Whether it began at the storefront, whose port is another one each time. */
  atStorefront: boolean;
  recorded: Promise<Recorded>;
  /** Resolves when the machine is free again. */
  over: Promise<void>;
  isOver: boolean;
  /** A replay has none: nobody watches it, and it is over when its actions are. */
  stage: Stage | null;
};

type Sessions = {
  sessions: Map<string, Session>;
  /** Throws recording_not_found. */
  known(sid: string): Session;
  /** Throws recording_not_found, recording_not_yours. */
  held(sid: string, by: Holder): Session;
};

function openSessions(): Sessions {
  const sessions = new Map<string, Session>();

  function known(sid: string): Session {
    const session = sessions.get(sid);
    if (session === undefined) throw problem('recording_not_found', `There is no recording ${sid}.`);
    return session;
  }

  return {
    sessions,
    known,
    held(sid, by) {
      const session = known(sid);
      if (mayHold(session.holder, by)) return session;
      throw problem('recording_not_yours', 'Its browser belongs to whoever started it.');
    },
  };
}

/** Throws recording_not_found. */
function stageOf({ stage }: Session, sid: string): Stage {
  if (stage === null) throw problem('recording_not_found', `${sid} is a replay, which has no picture.`);
  return stage;
}

/** A browser that is recorded, and who watches it. */
type Stage = {
  recording: Recording;
  tickets: Set<string>;
  watcher: Watcher | null;
  /** Ends the recording when nobody comes back. */
  alone: NodeJS.Timeout | null;
};

/** A page that is reloaded is back sooner. */
const aloneMs = 60_000;
const maxTickets = 20;

type Around = {
  executablePath: string;
  signal: AbortSignal;
  /** The current watcher. */
  watcher(): Watcher | null | undefined;
};

async function openStage(
  { url, known, permits, own }: Start,
  { viewport }: RecordingRequest,
  onReached: OnReached,
  { executablePath, signal, watcher }: Around,
): Promise<{ name: string; recorded: Promise<Recorded>; stage: Stage }> {
  const { openRecording } = await import('../../drive/browser/open-recording.ts');
  const recording = await openRecording({
    ...{ executablePath, url, known, permits, own, onReached, viewport, signal },
    tell: (message) => watcher()?.tell(message),
    show: (jpeg) => watcher()?.show(jpeg),
  });
  const stage: Stage = { recording, tickets: new Set(), watcher: null, alone: null };
  waitForWatcher(stage);
  const recorded = recording.ended.finally(() => stopWaiting(stage));
  return { name: 'Recorded', recorded, stage };
}

function waitForWatcher(stage: Stage): void {
  stage.alone = setTimeout(() => stage.recording.end('left_alone'), aloneMs);
}

function stopWaiting({ alone }: Stage): void {
  if (alone !== null) clearTimeout(alone);
}

/** Lets one page watch; the oldest goes when there are too many. */
function newTicket({ tickets }: Stage): string {
  const ticket = randomBytes(16).toString('base64url');
  const [oldest] = tickets;
  if (tickets.size >= maxTickets && oldest !== undefined) tickets.delete(oldest);
  tickets.add(ticket);
  return ticket;
}

/** Start of a recording. The storefront is started for it, anything else is running already. */
type Start = {
  url: string;
  /** Names that are not looked up, and their address. */
  known: ReadonlyMap<string, string>;
  /** Hosts besides this machine. */
  permits: readonly Permit[];
  own: readonly OwnListener[];
  close(): Promise<void>;
};

/** @param at an address, or `storefront` */
async function openStart(at: string, house: RunHouse, signal: AbortSignal): Promise<Start> {
  const permits = (await house.permits?.()) ?? [];
  const own = house.own?.() ?? [];
  if (at !== 'storefront') return { url: at, known: new Map(), permits, own, close: async () => {} };
  const patience = AbortSignal.any([signal, startLimit()]);
  const target = await openTarget(
    { target: { kind: 'storefront' }, transports: ['http', 'https'], arms: twoSidesAndTwin },
    house,
    patience,
  );
  const { hostname, address, port } = target.listeners.baseline;
  return {
    url: `http://${hostname}:${port}/`,
    known: new Map([[hostname, address]]),
    permits,
    own,
    close: () => target.stop(),
  };
}
