import type { AnyKind } from '../../../kinds/kind.ts';
import { listBlocks } from '../../database/blocks.ts';
import type { Database } from '../../database/open-database.ts';

/** What was stored of a measurement, in order. @param place of one place only */
export async function readBlocks<House>(
  database: Database,
  { blockSchema }: Pick<AnyKind<House>, 'blockSchema'>,
  id: string,
  place?: number,
): Promise<unknown[]> {
  const blocks = await listBlocks(database, id, place);
  return blocks.map((block) => blockSchema.parse(block));
}
