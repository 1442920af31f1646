import { randomBytes } from 'node:crypto';
import { problem } from '../../../shared/base/problem.ts';
import type { RecordingRequest, ReplayRequest } from '../../../shared/scenario/recorder.ts';
import { findChromium } from '../../drive/browser/find-chromium.ts';
import type { Recording } from '../../drive/browser/recorder/recording.ts';
import { moveActions } from '../../intake/traffic/move-actions.ts';
import type { Recorded } from '../../intake/traffic/recording-report.ts';
import { namedSecrets } from '../../intake/traffic/secret-names.ts';
import type { RunHouse } from '../../targets/open-target.ts';
import type { MachineQueue } from '../measurement/machine-queue.ts';
import { newPermalinkId } from '../measurement/permalink-id.ts';
import { takeMachine } from '../measurement/take-machine.ts';
import { type Holder, mayHold, mayTakeOver } from './may-hold.ts';
import type { OnReached, RecordingControl, Watcher } from './recording-control.ts';
import { openStart, type Start } from './recording-start.ts';

/** A recording under way, or one that is over and still in memory. */
type Session = {
  holder: Holder;
  name: string;
  recorded: Promise<Recorded>;
  /** Resolves when the machine is free again. */
  over: Promise<void>;
  /** A replay has none: nobody watches it, and it is over when its actions are. */
  stage: Stage | null;
};

type Stage = {
  recording: Recording;
  tickets: Set<string>;
  watcher: Watcher | null;
  /** Ends the recording when nobody comes back. */
  alone: NodeJS.Timeout | null;
};

/** A page that is reloaded is back sooner. */
const aloneMs = 60_000;
/** What was recorded is in memory only, and for so long after its end. */
const keptMs = 10 * 60_000;
const replayMs = 3 * 60_000;
const mostTickets = 20;

/** One recording at a time, and none beside a measurement. */
export function openRecordingControl(house: RunHouse, queue: MachineQueue): RecordingControl {
  const sessions = new Map<string, Session>();

  /** Opens a session when the machine is free, and keeps the machine until it is over. */
  async function open(
    at: string,
    holder: Holder,
    begin: (
      start: Start,
      executablePath: string,
      signal: AbortSignal,
      sid: string,
    ) => Promise<Omit<Session, 'over' | 'holder'>>,
  ): Promise<string> {
    const executablePath = demandChromium();
    const sid = newPermalinkId();
    const opened = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();

    async function perform(signal: AbortSignal): Promise<void> {
      const start = await openStart(at, house, signal);
      try {
        const session = await begin(start, executablePath, signal, sid);
        sessions.set(sid, { ...session, holder, over: over.promise });
        opened.resolve();
        // Whoever asks for the report is told.
        await session.recorded.catch(() => {});
        setTimeout(() => sessions.delete(sid), keptMs).unref();
      } finally {
        await start.close();
        over.resolve();
      }
    }

    takeMachine(queue, 'A browser', perform).catch(opened.reject);
    await opened.promise;
    return sid;
  }

  function demandChromium(): string {
    const chosen = house.chromiumPath === null ? {} : { CHROMIUM_PATH: house.chromiumPath };
    const path = findChromium({ ...process.env, ...chosen });
    if (path === null) throw problem('browser_missing', 'Recording needs Chromium.');
    return path;
  }

  async function openStage(
    { url, known, permits, own }: Start,
    { viewport }: RecordingRequest,
    onReached: OnReached,
    executablePath: string,
    signal: AbortSignal,
    sid: string,
  ): Promise<Omit<Session, 'over' | 'holder'>> {
    const watcher = () => sessions.get(sid)?.stage?.watcher;
    const { openRecording } = await import('../../drive/browser/recorder/open-recording.ts');
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

  /** Throws recording_not_found. */
  function known(sid: string): Session {
    const session = sessions.get(sid);
    if (session === undefined) throw problem('recording_not_found', `There is no recording ${sid}.`);
    return session;
  }

  /** Throws recording_not_found, recording_not_yours. */
  function held(sid: string, by: Holder): Session {
    const session = known(sid);
    if (!mayHold(session.holder, by)) {
      throw problem('recording_not_yours', 'Its browser belongs to whoever started it.');
    }
    return session;
  }

  /** Throws recording_not_found. */
  function stageOf({ stage }: Session, sid: string): Stage {
    if (stage === null) throw problem('recording_not_found', `${sid} is a replay, which has no picture.`);
    return stage;
  }

  return {
    async create(request, onReached, by) {
      const sid = await open(request.url, by, (start, executablePath, signal, id) =>
        openStage(start, request, onReached, executablePath, signal, id),
      );
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
        async (start, executablePath, signal) => {
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

    async finish(sid, { name, choices }, by) {
      const { recorded, stage, over, ...session } = held(sid, by);
      stage?.recording.end('finished');
      const { reportOfRecording } = await import('../../intake/traffic/recording-report.ts');
      const report = reportOfRecording(await recorded, name ?? session.name, choices);
      await over;
      return report;
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
  const { replayActions } = await import('../../drive/browser/replay/replay-actions.ts');
  return replayActions({
    ...moved,
    ...{ executablePath, secrets, signal, onReached },
    known: start.known,
    permits: start.permits,
    own: start.own,
  });
}

function newTicket({ tickets }: Stage): string {
  const ticket = randomBytes(16).toString('base64url');
  const [oldest] = tickets;
  if (tickets.size >= mostTickets && oldest !== undefined) tickets.delete(oldest);
  tickets.add(ticket);
  return ticket;
}
