import { z } from 'zod';
import { type Block, blockSchema } from '../../shared/block.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';
import { packText, unpackText } from './packed-text.ts';
import { upgradeBlock } from './upgrade-slot.ts';

const blockText = jsonText(z.preprocess(upgradeBlock, blockSchema));

/** The block is on the disk when this resolves. */
export async function appendBlock(database: Database, runId: string, block: Block): Promise<void> {
  const body = await packText(JSON.stringify(block));
  await database.queries.insertInto('blocks').values({ runId, blockIndex: block.index, body }).execute();
}

/** In the order in which they were measured. */
export async function listBlocks(database: Database, runId: string): Promise<Block[]> {
  const rows = await database.queries
    .selectFrom('blocks')
    .select('body')
    .where('runId', '=', runId)
    .orderBy('blockIndex')
    .execute();
  const texts = await Promise.all(rows.map(({ body }) => unpackText(z.instanceof(Uint8Array).parse(body))));
  return texts.map((text) => blockText.parse(text));
}
