import { demandChromium } from '../../drive/browser/find-chromium.ts';
import type { RunHouse } from '../../targets/open-target.ts';
import { newPermalinkId } from '../measurement/create/permalink-id.ts';
import type { MachineQueue } from '../measurement/queue/machine-queue.ts';
import { takeMachine } from '../measurement/queue/take-machine.ts';
import type { Holder } from './may-hold.ts';
import { openStart, type Start } from './recording-start.ts';
import type { Session, Sessions } from './sessions.ts';

/** A recording is in memory only, and stays there this long after its end. */
const keptMs = 10 * 60_000;

type Parts = Pick<Sessions, 'sessions'> & { house: RunHouse; queue: MachineQueue };

/** Starts what is recorded. */
export type Begin = (
  start: Start,
  around: { executablePath: string; signal: AbortSignal },
  sid: string,
) => Promise<Omit<Session, 'over' | 'isOver' | 'holder' | 'startedAt' | 'atStorefront'>>;

/** Opens a session when the machine is free, and keeps the machine until it is over. Throws browser_missing, machine_busy. */
export async function openSession(
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
