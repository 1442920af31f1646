import type { ProblemError } from '../../../shared/base/problem.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import type { MeasurementRecord } from '../database/measurements.ts';
import { type Before, type Life, openLife } from './life.ts';
import type { LifeParts } from './life-parts.ts';
import type { Lives } from './lives.ts';
import type { MachineQueue } from './machine-queue.ts';
import type { StopSwitch } from './stop-switch.ts';
import { openTakingUp, readBlocks, serverStopped } from './take-up.ts';

export type LivesParts<House> = Omit<LifeParts<House>, 'lastCall'> & {
  queue: MachineQueue;
  stopSwitch: StopSwitch;
  kindOf(name: string): AnyKind<House>;
};

/** A server that ends waits so long for a store that fails; the next one interrupts what is left. */
const lastCallMs = 5_000;

/** Queues measurements, and has them until each one's end is stored. `onOver` is told then, or when another server has it. */
export function openLives<House>(parts: LivesParts<House>): Lives<House> {
  const { database, queue, log, kindOf, onOver } = parts;
  const lives = new Map<string, Life<House>>();
  /** Of those that did not have the machine. */
  const endings = new Set<Promise<void>>();
  const lastCall = new AbortController();
  const lifeParts: LifeParts<House> = { ...parts, lastCall: lastCall.signal, onOver: leave };
  const takingUp = openTakingUp({ ...parts, isHere: (id) => lives.has(id), open, enqueue, end });

  function open(record: MeasurementRecord, before: Before): Life<House> {
    const life = openLife(kindOf(record.kind), record, before, lifeParts);
    lives.set(record.id, life);
    return life;
  }

  /** What was being stored when all load was stopped ends like those that waited. */
  function enqueue(
    record: MeasurementRecord,
    life: Life<House>,
    stopped: AbortSignal,
    waitedBefore?: boolean,
  ): void {
    const { id } = record;
    if (stopped.aborted) return void end(life, id, 'incomplete', stopped.reason);
    const perform = (signal: AbortSignal) => life.perform(signal).finally(() => forget(id));
    const onPlace = (queuePosition: number) =>
      log.append(record, { type: 'state', state: 'queued', queuePosition });
    queue.add({ id, perform, onPlace }, waitedBefore);
  }

  function end(
    life: Life<House>,
    id: string,
    state: 'incomplete' | 'interrupted',
    why: ProblemError,
  ): Promise<void> {
    const ending = life.end(state, why).finally(() => {
      endings.delete(ending);
      forget(id);
    });
    endings.add(ending);
    return ending;
  }

  /** It is the store's from now on. */
  function leave(id: string): void {
    lives.delete(id);
    onOver(id);
  }

  function forget(id: string): void {
    leave(id);
    log.close(id);
  }

  return {
    ...takingUp,
    begin(record, secrets, stopped) {
      // A look at the store that came in between has it already.
      if (lives.has(record.id)) return;
      queue.demandRoom();
      log.open(record.id, []);
      enqueue(record, open(record, { blocks: [], secrets }), stopped);
    },
    of: (id) => lives.get(id),
    ids: () => [...lives.keys()],
    endWaiting(id, why) {
      const life = lives.get(id);
      return life === undefined || !queue.remove(id) ? null : end(life, id, 'incomplete', why);
    },
    async view(stored) {
      const kind = kindOf(stored.kind);
      return openLife(
        kind,
        stored,
        { blocks: await readBlocks(database, kind, stored.id), secrets: {} },
        lifeParts,
      );
    },
    async close() {
      const timer = setTimeout(() => lastCall.abort(serverStopped()), lastCallMs);
      await queue.close(serverStopped());
      await Promise.allSettled(endings);
      clearTimeout(timer);
    },
  };
}
