import type { MeasurementDocument } from '../../shared/results/kinds.ts';
import type { AnyKind } from '../kinds/kind.ts';
import { storeBlock } from '../life/database/events.ts';
import { claimMeasurement, storeEnding, storeStart } from '../life/database/measurements.ts';
import type { Database } from '../life/database/open-database.ts';
import { insertInTest } from './insert-in-test.ts';

/** For tests: stores a measurement as it is when it has ended; its delete token is `token`. */
export async function storeEnded<House>(
  database: Database,
  kind: AnyKind<House>,
  document: MeasurementDocument,
  blocks: readonly unknown[] = [],
): Promise<string> {
  const { id, state, endedAt, problem, schemaVersion, createdAt } = document;
  const request = 'request' in document ? document.request : {};
  const facts = factsIn(document);
  const targets = document.kind === 'prices' ? kind.targets(request, facts) : [];
  await insertInTest(database, {
    ...{ id, kind: kind.name, createdAt, request, facts, targets, title: `Title of ${id}` },
  });
  const claim = await claimMeasurement(database, id);
  if (claim === null) throw new Error('it cannot be claimed');
  const { environment } = document;
  await storeStart(database, claim, { startedAt: createdAt, environment });
  for (const [index, block] of blocks.entries()) await storeBlock(database, claim, index, block);
  await storeEnding(database, claim, {
    ...{ state, problem, schemaVersion, summary: {}, endedAt: endedAt ?? createdAt },
    text: JSON.stringify(document),
    figures: kind.figuresOf?.(document) ?? null,
  });
  return id;
}

/** Facts that are read beside the document: of a sweep over servers, its cells; of a price list, what it was measured on. */
function factsIn(document: MeasurementDocument): object {
  if (document.kind === 'prices') {
    const { seed, server, cores, placement, negotiated, programs, cells } = document;
    return { seed, server, cores, placement, negotiated, programs, cells };
  }
  if (document.kind !== 'servers') return {};
  const { seed, servers, placement, warnings } = document;
  return { seed, servers, placement, warnings, cells: document.cells.map(({ cell }) => cell) };
}
