import { problem } from '../../../../shared/base/problem.ts';
import { letGo } from '../../../base/process/let-go.ts';
import { newPermalinkId } from '../create/permalink-id.ts';
import type { MachineQueue } from './machine-queue.ts';

/**
 * Does something that is no measurement, and would disturb one. It has the machine as a run has it, but does not wait for it:
 * runs that are asked for meanwhile wait until it has ended. Rejects with machine_busy when something has the machine.
 * Its ID in the queue is shown to every reader as what runs, so it is one that opens nothing.
 *
 * @param what as the beginning of a sentence, such as `A dry run`
 */
export async function takeMachine<Result>(
  queue: MachineQueue,
  what: string,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { running, queued } = queue.status();
  if (running !== null || queued > 0) {
    throw problem('machine_busy', `${what} would disturb the current run or recording.`);
  }
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  queue.add({
    id: newPermalinkId(),
    onPlace: () => {},
    perform: (signal) => letGo(act(signal), signal).then(resolve, reject),
  });
  return promise;
}
