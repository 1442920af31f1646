import { problem } from '../../../shared/base/problem.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import type { Batch, BatchLink, BatchSite, CreatedBatch } from '../../../shared/results/schedule.ts';
import type { MeasurementSummary } from '../../../shared/results/summary.ts';
import type { Asker } from '../../../shared/team/team.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import { findBatch, findBatchOf, listSites, type SiteRecord } from '../database/batches.ts';
import { listFigures } from '../database/figures.ts';
import { isBuried } from '../database/measurements.ts';
import type { Given } from './create.ts';
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
        throw problem('batch_not_found', `No run on several sites has the ID ${id}.`);
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
