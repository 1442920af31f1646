import { randomBytes } from 'node:crypto';
import { problem } from '../../shared/problem.ts';
import type { RecordingRequest } from '../../shared/recorder.ts';
import { findChromium } from '../browser/find-chromium.ts';
import { openRecording, type Recording } from '../browser/recorder/open-recording.ts';
import { reportOfRecording } from '../recording/recording-report.ts';
import type { MachineQueue } from './machine-queue.ts';
import { openTarget, type RunHouse } from './open-target.ts';
import { newPermalinkId } from './permalink-id.ts';
import type { RecordingControl, Watcher } from './recording-control.ts';

type Session = {
  recording: Recording;
  tickets: Set<string>;
  watcher: Watcher | null;
  /** Resolves when the machine is free again. */
  over: Promise<void>;
  /** Ends the recording when nobody comes back. */
  alone: NodeJS.Timeout;
};

/** A page that is reloaded is back sooner. */
const aloneMs = 60_000;
/** What was recorded is in memory only, and for so long after its end. */
const keptMs = 10 * 60_000;
const startMs = 30_000;
const mostTickets = 20;

/**
 * One recording at a time, and none beside a measurement: it takes its turn on the machine as a run does, but does not
 * wait for it. Runs that are asked for meanwhile wait until it has ended.
 */
export function openRecordingControl(house: RunHouse, queue: MachineQueue): RecordingControl {
  const sessions = new Map<string, Session>();

  async function create(request: RecordingRequest): Promise<string> {
    const { running, queued } = queue.status();
    if (running !== null || queued > 0) {
      throw problem(
        'recording_busy',
        'A run or another recording has the machine, and a browser would disturb it.',
      );
    }
    const executablePath = findChromium({
      ...process.env,
      ...(house.chromiumPath === null ? {} : { CHROMIUM_PATH: house.chromiumPath }),
    });
    if (executablePath === null) throw problem('browser_missing', 'A recording needs a Chromium.');
    const sid = newPermalinkId();
    const opened = Promise.withResolvers<void>();
    queue.add({
      id: sid,
      onPlace: () => {},
      async perform(signal) {
        try {
          await record(sid, request, executablePath, signal, opened.resolve);
        } catch (error) {
          // Whoever asked for it is told.
          opened.reject(error);
        }
      },
    });
    await opened.promise;
    return sid;
  }

  /** Resolves when the recording has ended and everything that was opened for it is closed. */
  async function record(
    sid: string,
    request: RecordingRequest,
    executablePath: string,
    signal: AbortSignal,
    opened: () => void,
  ): Promise<void> {
    const place = await openPlace(request, house, signal);
    const over = Promise.withResolvers<void>();
    try {
      const { url, known } = place;
      const watcher = () => sessions.get(sid)?.watcher;
      const recording = await openRecording({
        executablePath,
        url,
        known,
        viewport: request.viewport,
        tell: (message) => watcher()?.tell(message),
        show: (jpeg) => watcher()?.show(jpeg),
      });
      signal.addEventListener('abort', () => recording.end('closing'), { once: true });
      if (signal.aborted) recording.end('closing');
      const session = {
        recording,
        tickets: new Set<string>(),
        watcher: null,
        over: over.promise,
        alone: setTimeout(() => {}, 0),
      };
      sessions.set(sid, session);
      waitForWatcher(session);
      opened();
      await recording.ended;
      clearTimeout(session.alone);
      setTimeout(() => sessions.delete(sid), keptMs).unref();
    } finally {
      await place.close();
      over.resolve();
    }
  }

  function waitForWatcher(session: Session): void {
    clearTimeout(session.alone);
    session.alone = setTimeout(() => session.recording.end('left_alone'), aloneMs);
  }

  function known(sid: string): Session {
    const session = sessions.get(sid);
    if (session === undefined) throw problem('recording_not_found', `There is no recording ${sid}.`);
    return session;
  }

  function newTicket({ tickets }: Session): string {
    const ticket = randomBytes(16).toString('base64url');
    const [oldest] = tickets;
    if (tickets.size >= mostTickets && oldest !== undefined) tickets.delete(oldest);
    tickets.add(ticket);
    return ticket;
  }

  return {
    async create(request) {
      const sid = await create(request);
      return { sid, ticket: newTicket(known(sid)), url: `/record/${sid}` };
    },

    ticket: (sid) => ({ ticket: newTicket(known(sid)) }),

    watch(sid, ticket, watcher) {
      const session = known(sid);
      if (!session.tickets.delete(ticket)) return null;
      session.watcher?.dismiss();
      session.watcher = watcher;
      clearTimeout(session.alone);
      session.recording.greet();
      return {
        input: (input) => session.recording.input(input),
        leave() {
          if (session.watcher !== watcher) return;
          session.watcher = null;
          waitForWatcher(session);
        },
      };
    },

    async finish(sid, { name, choices }) {
      const { recording, over } = known(sid);
      recording.end('finished');
      const report = reportOfRecording(await recording.ended, name, choices);
      await over;
      return report;
    },
  };
}

type Place = { url: string; known: Map<string, string>; close(): Promise<void> };

/** Where the recording begins: the storefront is started for it, anything else is there already. */
async function openPlace(request: RecordingRequest, house: RunHouse, signal: AbortSignal): Promise<Place> {
  if (request.url !== 'storefront') return { url: request.url, known: new Map(), close: async () => {} };
  const patience = AbortSignal.any([signal, AbortSignal.timeout(startMs)]);
  const target = await openTarget({ target: 'storefront', transports: ['http', 'https'] }, house, patience);
  const { hostname, address, port } = target.listeners.baseline;
  return {
    url: `http://${hostname}:${port}/`,
    known: new Map([[hostname, address]]),
    close: () => target.stop(),
  };
}
