import type { HolderKind } from '../../../shared/api/server-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import { letGo } from '../../base/process/children.ts';
import { newPermalinkId } from './create.ts';
import type { MachineQueue } from './origin.ts';

/**
 * Does something that is no measurement, and would disturb one. It has the machine as a run has it, but does not wait for it:
 * runs that are asked for meanwhile wait until it has ended. Rejects with machine_busy when something has the machine.
 * Its ID in the queue is shown to every reader as what runs, so it is one that opens nothing.
 *
 */
export async function takeMachine<Result>(
  queue: MachineQueue,
  kind: keyof typeof names,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { holder, queued } = queue.status();
  if (holder !== null) {
    throw problem('machine_busy', `${names[kind]} would disturb ${heldBy(holder)}.`);
  }
  if (queued > 0) throw problem('machine_busy', `${names[kind]} would disturb the next run.`);
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  queue.add({
    id: newPermalinkId(),
    kind,
    onPlace: () => {},
    perform: (signal) => letGo(() => act(signal), signal).then(resolve, reject),
  });
  return promise;
}

const names = { dryRun: 'A dry run', recording: 'A browser' } as const;

const holders: Record<HolderKind, string> = {
  ...{ measurement: 'the current run', recording: 'the current recording', dryRun: 'the current dry run' },
};

function heldBy({ kind, forS }: { kind: HolderKind; forS: number }): string {
  const minutes = Math.floor(forS / 60);
  return minutes < 2 ? holders[kind] : `${holders[kind]}, which began ${minutes} min ago`;
}
