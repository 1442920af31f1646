import type { ProblemError } from '../../../shared/base/problem.ts';
import type { MeasurementRecord } from '../database/measurements.ts';
import { type Given, openTakingUp, serverStopped } from './create.ts';
import { type Before, type Life, type LifeParts, type Lives, openLife } from './life.ts';

type LivesParts<House> = Omit<LifeParts<House>, 'lastCall' | 'onOver'> &
  Pick<Given<House>, 'queue' | 'stopSwitch' | 'kindOf'> & { onOver(id: string): void };

/** A server that ends waits so long for a store that fails; the next one interrupts what is left. */
const lastCallMs = 8_500;

/** Queues measurements, and has them until each one's end is stored. `onOver` is told then, or when another server has it. */
export function openLives<House>(parts: LivesParts<House>): Lives<House> {
  const { queue, log, kindOf, onOver, onError } = parts;
  const lives = new Map<string, Life<House>>();
  /** Endings of lives that did not have the machine. */
  const endings = new Set<Promise<void>>();
  const lastCall = new AbortController();
  const takingUp = openTakingUp({ ...parts, isHere: (id) => lives.has(id), open, enqueue, end });

  function open(record: MeasurementRecord, before: Before): Life<House> {
    const own = { lastCall: lastCall.signal, onOver: () => leave(life) };
    const life = openLife(kindOf(record.kind), record, before, { ...parts, ...own });
    lives.set(record.id, life);
    return life;
  }

  /** Ends it like those that waited if all load was stopped while it was being stored. */
  function enqueue(
    record: MeasurementRecord,
    life: Life<House>,
    stopped: AbortSignal,
    waitedBefore?: boolean,
  ): void {
    if (stopped.aborted) return void end(life, 'incomplete', stopped.reason);
    const perform = (signal: AbortSignal) => life.perform(signal).finally(() => forget(life));
    const onPlace = (queuePosition: number) =>
      log.append(record, { type: 'state', state: 'queued', queuePosition });
    queue.add({ id: life.id, kind: 'measurement', perform, onPlace }, waitedBefore);
  }

  /** Not every caller waits for it, so a problem of the store is reported here. */
  function end(life: Life<House>, state: 'incomplete' | 'interrupted', why: ProblemError): Promise<void> {
    const ending = life
      .end(state, why)
      .catch(onError)
      .finally(() => {
        endings.delete(ending);
        forget(life);
      });
    endings.add(ending);
    return ending;
  }

  /** It is the store's from now on, from where it may have been resumed at once: then another life goes on here. */
  function leave(life: Life<House>): void {
    if (lives.get(life.id) === life) lives.delete(life.id);
    onOver(life.id);
  }

  function forget(life: Life<House>): void {
    leave(life);
    if (!lives.has(life.id)) log.close(life.id);
  }

  return {
    ...takingUp,
    begin(record, secrets, stopped) {
      queue.demandRoom();
      log.open(record.id, []);
      enqueue(record, open(record, { blocks: [], secrets }), stopped);
    },
    of: (id) => lives.get(id),
    ids: () => [...lives.keys()],
    endWaiting(id, why) {
      const life = lives.get(id);
      return life === undefined || !queue.remove(id) ? null : end(life, 'incomplete', why);
    },
    async close() {
      const timer = setTimeout(() => lastCall.abort(serverStopped()), lastCallMs);
      await queue.close(serverStopped());
      await Promise.all(endings);
      clearTimeout(timer);
    },
  };
}
