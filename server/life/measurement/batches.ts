import { type ProblemError, problem } from '../../../shared/base/problem.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import type { Batch, BatchLink, BatchSite, CreatedBatch } from '../../../shared/results/schedule.ts';
import type { MeasurementSummary } from '../../../shared/results/summary.ts';
import type { Asker } from '../../../shared/team/audit.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import { listFigures } from '../database/figures.ts';
import { isBuried, type MeasurementRecord } from '../database/measurements.ts';
import { findBatch, findBatchOf, listSites, type SiteRecord } from '../database/schedules.ts';
import { type Given, openTakingUp, serverStopped } from './create.ts';
import { type Before, type Life, type LifeParts, type Lives, openLife } from './life.ts';
import { addressOf } from './summaries.ts';

export function addressOfBatch(id: string): string {
  return `/b/${id}`;
}

/** Shows batches without reading documents, because their pages ask every two seconds. */
export function openBatches<House>({
  database,
  kindOf,
  summaries,
  dispatch,
}: Pick<Given<House>, 'database' | 'kindOf' | 'summaries' | 'dispatch'>): Omit<Batches, 'create'> {
  function progressOf({ id, state }: MeasurementSummary) {
    return state === 'running' ? dispatch.progressOf(id) : null;
  }

  async function shown(kind: AnyKind<House>, sites: readonly SiteRecord[]): Promise<BatchSite[]> {
    const ids = sites.filter(({ deleted }) => deleted === null).map(({ id }) => id);
    const lines = await summaries.storedSummaries(ids);
    const finished = lines.filter(({ state }) => state === 'finished').map(({ id }) => id);
    const figures = await listFigures(database, finished);
    return sites.map(({ runner, ...site }) => {
      const measurement = lines.find(({ id }) => id === site.id) ?? null;
      return {
        ...site,
        url: addressOf(kind, site.id),
        measurement,
        // A queued measurement has no runner. One noted earlier has lost it.
        runner: measurement === null || measurement.state === 'queued' ? null : runner,
        progress: measurement === null ? null : progressOf(measurement),
        figures: figures.get(site.id) ?? [],
      };
    });
  }

  return {
    async show(id) {
      const batch = await findBatch(database, id);
      if (batch === null) {
        if (await isBuried(database, id)) throw problem('run_deleted', 'It was deleted at all sites.');
        throw problem('batch_not_found', `No measurement on several sites has the ID ${id}.`);
      }
      const sites = await shown(kindOf(batch.kind), await listSites(database, id));
      const title = sites.find(({ measurement }) => measurement !== null)?.measurement?.title ?? null;
      return { id, url: addressOfBatch(id), title, createdAt: batch.createdAt, sites };
    },

    async linkFrom(measurementId) {
      const id = await findBatchOf(database, measurementId);
      if (id === null) return null;
      const sites = await listSites(database, id);
      return { id, url: addressOfBatch(id), sites: sites.map(({ labels }) => labels) };
    },
  };
}

/** One request that several runners measure at once. */
export type Batches = {
  /**
   * Queues a measurement for each site, or none. The request is judged once, so all of them have the same plan and seed. The
   * idempotency key works as for one measurement. Throws what making one throws, and says which site it is about.
   * @param body as for one measurement, without labels
   */
  create(
    kind: string,
    body: object,
    sites: readonly Labels[],
    idempotencyKey: string | null,
    by?: Asker,
  ): Promise<CreatedBatch>;
  /** Throws batch_not_found, run_deleted. */
  show(id: string): Promise<Batch>;
  /** Null for a measurement that is part of none. */
  linkFrom(measurementId: string): Promise<BatchLink | null>;
};

type LivesParts<House> = Omit<LifeParts<House>, 'lastCall' | 'onOver'> &
  Pick<Given<House>, 'queue' | 'stopSwitch' | 'kindOf'> & { onOver(id: string): void };

/** A server that ends waits so long for a store that fails; the next one interrupts what is left. */
const lastCallMs = 8_500;

/** Queues measurements, and has them until each one's end is stored. `onOver` is told then, or when another server has it. */
export function openLives<House>(parts: LivesParts<House>): Lives<House> {
  const { queue, log, kindOf, onOver, onError } = parts;
  const lives = new Map<string, Life<House>>();
  /** Of those that did not have the machine. */
  const endings = new Set<Promise<void>>();
  const lastCall = new AbortController();
  const takingUp = openTakingUp({ ...parts, isHere: (id) => lives.has(id), open, enqueue, end });

  function open(record: MeasurementRecord, before: Before): Life<House> {
    const own = { lastCall: lastCall.signal, onOver: () => leave(life) };
    const life = openLife(kindOf(record.kind), record, before, { ...parts, ...own });
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
