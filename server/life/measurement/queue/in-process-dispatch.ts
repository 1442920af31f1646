import { problem } from '../../../../shared/base/problem.ts';
import type { Labels } from '../../../../shared/measurement/runner.ts';
import type { EventLog } from '../run/event-log.ts';
import type { Lives } from '../run/lives.ts';
import type { Dispatch } from './dispatch.ts';
import type { MachineQueue } from './machine-queue.ts';

/** The embedded default: what waits is in memory, and this process measures it. */
export function openInProcessDispatch<House>(
  lives: Lives<House>,
  queue: MachineQueue,
  log: EventLog,
): Dispatch {
  /** Stored, with secrets that only whoever made it has, and about to begin. */
  const enrolled = new Set<string>();

  async function demandRunner(labels: Labels): Promise<void> {
    if (Object.keys(labels).length === 0) return;
    throw problem('runners_off', 'Labels choose a runner, and this server has none.');
  }

  return {
    async demandRoom(sites) {
      for (const labels of sites) await demandRunner(labels);
      queue.demandRoom();
    },
    demandRunner,
    enroll: (id) => async () => void enrolled.add(id),
    begin(record, ...asked) {
      lives.begin(record, ...asked);
      enrolled.delete(record.id);
    },
    withdraw: (id) => void enrolled.delete(id),
    async beginAgain(id, stopped) {
      enrolled.delete(id);
      await lives.takeUp(enrolled, stopped);
    },
    takeUp: () => lives.takeUp(enrolled),
    ask: async () => false,
    askAll: async () => 0,
    async placesOf(ids) {
      const places = ids.map((id) => [id, queue.placeOf(id)] as const);
      return new Map(places.flatMap(([id, place]) => (place === null ? [] : [[id, place]])));
    },
    mirror: async () => {},
    follow: log.follow,
    progressOf: () => null,
    runners: async () => null,
    close: async () => {},
  };
}
