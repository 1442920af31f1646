import { type AuditEvent, auditEventSchema } from '../../../shared/team/audit.ts';
import type { Database } from './open-database.ts';
import { type PageQuery, pageOf, parseCursor } from './page-cursor.ts';
import { plainText } from './plain-text.ts';

/** What was done, without the words for it. */
export type AuditRow = Omit<AuditEvent, 'act'>;

const rowSchema = auditEventSchema.omit({ act: true });

/** Nobody reads more of one than this. */
const mostCharacters = 1000;

export async function addToAuditLog(
  { queries }: Pick<Database, 'queries'>,
  { key, from, ...row }: AuditRow,
): Promise<void> {
  const short = (text: string | null) => (text === null ? null : plainText(text.slice(0, mostCharacters)));
  const texts = { who: plainText(row.who), subject: short(row.subject), note: short(row.note) };
  await queries
    .insertInto('auditLog')
    .values({ ...row, ...texts, keyName: short(key), fromAddress: short(from) })
    .execute();
}

/** The newest first, a page at a time. Throws invalid_request for a cursor that is none. */
export async function listAuditLog(
  { queries }: Database,
  { limit, cursor }: PageQuery,
): Promise<{ page: AuditRow[]; nextCursor: string | null }> {
  let query = queries
    .selectFrom('auditLog')
    .select(['id', 'at', 'who', 'userId', 'keyName as key', 'fromAddress as from'])
    .select(['what', 'subject', 'host', 'note'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) {
    const { at, id } = parseCursor(cursor);
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('at', 'id'), '<', tuple(at, id)));
  }
  const found = (await query.execute()).map((row) => rowSchema.parse(row));
  return pageOf(found, limit, (last) => last);
}
