import { createHash } from 'node:crypto';
import { blankAnnotation } from '../../shared/measurement/annotation.ts';
import { servers } from '../kinds/servers/kind.ts';
import { cellFigures } from '../kinds/servers/servers-document.ts';
import { storeBlock } from '../life/database/events.ts';
import { insertMeasurement } from '../life/database/insert-measurement.ts';
import { claimMeasurement, storeEnding } from '../life/database/measurements.ts';
import type { Database } from '../life/database/open-database.ts';
import { summarise } from '../life/measurement/summaries.ts';
import type { sampleServers } from './sample-servers.ts';

/** Stores a sweep over servers that has ended, with its visits; its delete token is `token`. */
export async function storeFinishedServers(
  database: Database,
  { frame, kept, document }: ReturnType<typeof sampleServers>,
): Promise<void> {
  const { id, createdAt, state, endedAt, request } = frame;
  const summary = summarise(servers, document);
  const title = servers.title(request, kept.facts);
  await insertMeasurement(database, {
    ...{ id, kind: 'servers', createdAt, title, searchText: title, summary, request, facts: kept.facts },
    ...{ revisionId: null, idempotencyHash: null, requestHash: 'hash', annotation: blankAnnotation },
    targets: servers.targets(request, kept.facts),
    deleteTokenHash: createHash('sha256').update('token').digest('hex'),
  });
  const claim = await claimMeasurement(database, id);
  if (claim === null) throw new Error('the sweep was not stored');
  for (const [index, block] of kept.blocks.entries()) {
    await storeBlock(database, claim, index, block, block.cell);
  }
  const { schemaVersion } = document;
  const stored = { schemaVersion, text: JSON.stringify(document), figures: cellFigures(document) };
  await storeEnding(database, claim, { state, endedAt, problem: null, summary, ...stored });
}
