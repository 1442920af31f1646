import { problem } from '../../../shared/base/problem.ts';
import type { ReplayRequest } from '../../../shared/scenario/recorder.ts';
import { moveActions } from '../../intake/traffic/move-actions.ts';
import type { Recorded } from '../../intake/traffic/recording-report.ts';
import { namedSecrets } from '../../intake/traffic/secret-names.ts';
import type { RunHouse } from '../../targets/open-target.ts';
import type { MachineQueue } from '../measurement/queue/machine-queue.ts';
import { type Holder, mayEnd, mayHold, mayTakeOver } from './may-hold.ts';
import { type Begin, openSession } from './open-session.ts';
import type { OnReached, RecordingControl } from './recording-control.ts';
import type { Start } from './recording-start.ts';
import { openSessions, type Session, stageOf } from './sessions.ts';
import { newTicket, openStage, stopWaiting, waitForWatcher } from './stage.ts';

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

/** What may be done with the recording that has the machine, without its ID. */
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
        throw problem('recording_not_yours', 'Only who started it and an admin can end it.');
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
  const { replayActions } = await import('../../drive/browser/replay/replay-actions.ts');
  return replayActions({
    ...moved,
    ...{ executablePath, secrets, signal, onReached },
    known: start.known,
    permits: start.permits,
    own: start.own,
  });
}
