import type { Asker } from '../../../shared/team/audit.ts';
import { type AuditRow, addToAuditLog, listAuditLog } from '../database/audit-log.ts';
import type { Database } from '../database/open-database.ts';
import type { PageQuery } from '../database/page-cursor.ts';
import { newPermalinkId } from '../measurement/create/permalink-id.ts';

export type AuditNote = Asker & Pick<AuditRow, 'what' | 'subject' | 'host' | 'note'>;

export type Audit = {
  /** Never rejects, as the change is already made. Errors of the store go to the server's log. */
  note(event: AuditNote): Promise<void>;
  /** Throws invalid_request for a cursor that is none. */
  list(query: PageQuery): ReturnType<typeof listAuditLog>;
  /** All of it, the newest first, in pieces that fit into memory. */
  all(): AsyncGenerator<AuditRow[]>;
};

const rowsAtOnce = 1000;

export function openAudit(database: Database, onError: (error: unknown) => void): Audit {
  return {
    note: (event) =>
      addToAuditLog(database, { id: newPermalinkId(), at: Date.now(), ...event }).catch(onError),
    list: (query) => listAuditLog(database, query),
    async *all() {
      let cursor: string | undefined;
      do {
        const { page, nextCursor } = await listAuditLog(database, { limit: rowsAtOnce, cursor });
        yield page;
        cursor = nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
  };
}
