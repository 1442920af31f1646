import type { SqlRequest, SqlResult } from '../../../../shared/measurement/history.ts';
import type { AnyKind } from '../../../kinds/kind.ts';
import { lockDataDirectory } from '../../database/data-directory.ts';
import { openHistory } from '../../database/history/open-history.ts';
import { type DatabaseOptions, openDatabase } from '../../database/open-database.ts';
import { bringHistoryUpToDate } from './bring-history-up-to-date.ts';

/** Where no server has the data directory. Nothing that waits in it is taken up, so nothing is measured. */
export async function askHistoryAlone<House>(
  place: DatabaseOptions,
  kinds: readonly AnyKind<House>[],
  request: SqlRequest,
): Promise<SqlResult> {
  const lock = lockDataDirectory(place.directory);
  try {
    const database = await openDatabase(place);
    try {
      await bringHistoryUpToDate({ database, kinds, onError: (error) => Promise.reject(error) });
      return await openHistory(place).ask(request);
    } finally {
      await database.close();
    }
  } finally {
    lock.release();
  }
}
