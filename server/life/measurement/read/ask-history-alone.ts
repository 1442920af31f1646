import type { SqlRequest, SqlResult } from '../../../../shared/measurement/history.ts';
import type { AnyKind } from '../../../kinds/kind.ts';
import { openHistory } from '../../database/history/open-history.ts';
import type { DatabaseOptions } from '../../database/open-database.ts';
import { withDatabaseAlone } from '../../database/with-database-alone.ts';
import { bringHistoryUpToDate } from './bring-history-up-to-date.ts';

/** Where no server has the data directory. Nothing that waits in it is taken up, so nothing is measured. */
export function askHistoryAlone<House>(
  place: DatabaseOptions,
  kinds: readonly AnyKind<House>[],
  request: SqlRequest,
): Promise<SqlResult> {
  return withDatabaseAlone(place, async (database) => {
    await bringHistoryUpToDate({ database, kinds, onError: (error) => Promise.reject(error) });
    return await openHistory(place).ask(request);
  });
}
