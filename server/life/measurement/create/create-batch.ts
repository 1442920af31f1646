import { problem } from '../../../../shared/base/problem.ts';
import type { CreatedBatch } from '../../../../shared/measurement/batch.ts';
import type { Labels } from '../../../../shared/measurement/runner.ts';
import { printLabels } from '../../../../shared/measurement/runner-labels.ts';
import { thisMachine } from '../../../../shared/team/audit.ts';
import { findBatch, insertBatch, listSites, type NewSite } from '../../database/batches.ts';
import { addressOfBatch } from '../list/open-batches.ts';
import { answerOf, beginCreated } from './begin-created.ts';
import { hashText } from './hash-text.ts';
import { demandSame, hashOfKey } from './idempotency.ts';
import { type CreationParts, judgeRequest } from './judge-request.ts';
import { parseRequest } from './parse-request.ts';
import { newPermalinkId } from './permalink-id.ts';

/** As `createMeasurement`, for several sites: all of them are queued, or none. */
export async function createBatch<House>(
  parts: CreationParts<House>,
  name: string,
  body: object,
  sites: readonly Labels[],
  idempotencyKey: string | null,
  by = thisMachine,
): Promise<CreatedBatch> {
  const { database, dispatch, stopSwitch, kindOf } = parts;
  const stopped = stopSwitch.signal();
  const kind = kindOf(name);
  const asked = { ...parseRequest(kind.requestSchema, { ...body, labels: {} }), kind };
  const requestHash = hashText(JSON.stringify(asked.request));
  const hashOfAll = hashText(JSON.stringify([requestHash, ...sites.map(printLabels)]));
  const idempotencyHash = hashOfKey(idempotencyKey, by);
  const earlier =
    idempotencyHash === null ? null : await findBatch(database, idempotencyHash, 'idempotencyHash');
  if (earlier !== null) {
    demandSame(earlier, hashOfAll);
    return answerOfBatch(parts, earlier);
  }
  const { here, make } = await judgeRequest(parts, asked, sites, { by }, stopped);
  if (here) throw secretsStayHere();
  const made = sites.map((labels) => ({ labels, ...make({ requestHash, idempotencyHash: null }) }));
  const id = newPermalinkId();
  const batch = { id, kind: name, createdAt: Date.now(), requestHash: hashOfAll, idempotencyHash };
  const newSites = made.map(({ measurement, labels }): NewSite => {
    return { measurement, labels, enroll: dispatch.enroll(measurement.id, labels, false) };
  });
  const stored = await insertBatch(database, batch, newSites);
  // The same request was faster: its batch is the answer.
  if (!stored) return createBatch(parts, name, body, sites, idempotencyKey, by);
  const measurements: CreatedBatch['measurements'] = [];
  for (const { labels, ...each } of made) {
    measurements.push({ labels, ...(await beginCreated(parts, asked, each, { by }, stopped)) });
  }
  return { id, url: addressOfBatch(id), measurements };
}

async function answerOfBatch<House>(
  parts: CreationParts<House>,
  { id, kind }: { id: string; kind: string },
): Promise<CreatedBatch> {
  const sites = await listSites(parts.database, id);
  const measurements = sites.map(async (site) => ({
    labels: site.labels,
    ...(await answerOf(parts, parts.kindOf(kind), site.id)),
  }));
  return { id, url: addressOfBatch(id), measurements: await Promise.all(measurements) };
}

function secretsStayHere() {
  return problem(
    'runner_unknown',
    'The values of its secrets stay in the memory of this dashboard, so no other site can measure it.',
  );
}
