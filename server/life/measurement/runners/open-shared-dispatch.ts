import type { Labels } from '../../../../shared/measurement/runner.ts';
import { assign, listAssignments, takeFrom } from '../../database/assignments.ts';
import type { Enroll } from '../../database/insert-measurement.ts';
import type { Database } from '../../database/open-database.ts';
import type { Given } from '../given.ts';
import { lookAgain } from '../look-again.ts';
import type { Dispatch } from '../queue/dispatch.ts';
import { loadStopped } from '../queue/stop-switch.ts';
import { askAllOthers, askOther } from './ask-others.ts';
import { demandRoom, demandSomebody, type OwnSession } from './demand-room.ts';
import { beatMs, openLeases } from './leases.ts';
import { lookForLost } from './look-for-lost.ts';
import { openMirrors } from './open-mirrors.ts';
import { showRunners } from './show-runners.ts';

export type SharedParts<House> = { self: OwnSession } & Pick<
  Given<House>,
  'database' | 'queue' | 'stopSwitch' | 'log' | 'lives' | 'kindOf' | 'onError'
>;

/** Measurements wait in the database, and whichever runner fits takes them. */
export function openSharedDispatch<House>(parts: SharedParts<House>): Dispatch {
  const { database, queue, stopSwitch, log, lives, self, onError } = parts;
  const { session, version } = self;
  const others = { database, lives, session };
  const leases = openLeases();
  /** To be measured by this process, until they begin. */
  const own = new Set<string>();
  const placesOf = (ids: readonly string[]) => findPlaces(database, ids);
  const isHere = (id: string) => lives.of(id) !== undefined;
  const mirrors = openMirrors({ database, log, isHere, placesOf });

  /** Stored as this process's own where only it has what the measurement needs, or where it takes nothing from the queue. */
  function enroll(id: string, labels: Labels, here: boolean): Enroll {
    const isOwn = here || (!self.takes && self.labels !== null && Object.keys(labels).length === 0);
    if (isOwn) own.add(id);
    return (transaction) => assign(database, transaction, id, { version, labels }, isOwn ? session : null);
  }

  // Another dashboard stops all load.
  const unlisten = database.shared?.signals.listen(({ about, id }) => {
    if (about !== 'stop' || id === session) return;
    stopSwitch.press();
    queue.abortRunning(loadStopped());
  });
  // A database that is away is asked again.
  const looking = lookAgain(
    beatMs,
    () => {},
    () => lookForLost({ ...parts, leases }),
  );

  return {
    demandRoom: (sites, here) => demandRoom(database, self, sites, here),
    demandRunner: (labels) => demandSomebody(database, self, labels),
    enroll,
    begin(record, secrets, stopped) {
      if (own.delete(record.id)) return lives.begin(record, secrets, stopped);
      if (stopped.aborted) askOther(others, record.id, 'stop').catch(onError);
    },
    withdraw: (id) => void own.delete(id),
    async beginAgain(id, stopped) {
      if (stopped.aborted) return void (await askOther(others, id, 'stop'));
      if (!own.delete(id)) return;
      const record = await takeFrom(database, id, session, session);
      if (record !== null) await lives.take(record, stopped);
    },
    takeUp: looking.now,
    ask: (id, wish) => askOther(others, id, wish),
    askAll: () => askAllOthers(others),
    placesOf,
    mirror: mirrors.open,
    follow: (id, afterId, listener) => log.follow(id, afterId, listener, mirrors.greetingOf(id)),
    progressOf: mirrors.progressOf,
    runners: () => showRunners(database, leases),
    async close() {
      unlisten?.();
      mirrors.close();
      await looking.stop();
    },
  };
}

/** 1 is next. */
async function findPlaces(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const waiting = (await listAssignments(database)).filter(({ state }) => state === 'queued');
  return new Map(waiting.map(({ id }, index) => [id, index + 1]));
}
