import { z } from 'zod';
import { permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import {
  capsSchema,
  fingerprintSchema,
  permitSchema,
  type TargetEvent,
  targetActionSchema,
  targetEventSchema,
} from '../../../shared/target/target.ts';
import { type AuditEvent, auditEventSchema, printActor } from '../../../shared/team/team.ts';
import { type PageQuery, pageOf, parseCursor, plainText } from './list-measurements.ts';
import type { Database } from './open-database.ts';
import { jsonText } from './packed-text.ts';

const rowSchema = permitSchema.extend({
  id: permalinkIdSchema,
  caps: jsonText(capsSchema),
  allowedBy: z.string(),
  allowedAt: unixMillisSchema,
  why: z.string(),
});
export type PermittedRow = z.infer<typeof rowSchema>;

/** In the order in which they were allowed. */
export async function listPermitted({ queries }: Database): Promise<PermittedRow[]> {
  const rows = await queries
    .selectFrom('permittedTargets')
    .selectAll()
    .orderBy('allowedAt')
    .orderBy('id')
    .execute();
  return rows.map((row) => rowSchema.parse(row));
}

/** Takes the place of an earlier one of the same host. */
export async function storePermitted({ queries }: Database, row: PermittedRow): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('permittedTargets').where('host', '=', row.host).execute();
    await transaction
      .insertInto('permittedTargets')
      .values({ ...row, caps: JSON.stringify(row.caps), why: plainText(row.why) })
      .execute();
  });
}

/** Its host; null when there is none of that id. */
export async function removePermitted({ queries }: Database, id: string): Promise<string | null> {
  const row = await queries
    .deleteFrom('permittedTargets')
    .where('id', '=', id)
    .returning('host')
    .executeTakeFirst();
  return row?.host ?? null;
}

/** Number of newest measurements of an address that are searched for a trusted certificate. */
const mostTrusting = 20;

const trustingSchema = z
  .object({ http: z.unknown(), https: z.unknown(), origin: z.unknown(), trust: fingerprintSchema })
  .partial();
const requestSchema = z.object({
  target: trustingSchema,
  sides: z.record(z.string(), z.object({ target: trustingSchema.optional() })).optional(),
});

/** Fingerprint of the certificate that the newest measurement of an origin trusted; null if none trusted one. */
export async function findTrusted({ queries }: Database, origin: string): Promise<string | null> {
  const rows = await queries
    .selectFrom('measurements')
    .select('request')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('measuredTargets')
        .select('measurementId')
        .where('name', 'like', `%${plainText(origin)}%`),
    )
    .orderBy('createdAt', 'desc')
    .limit(mostTrusting)
    .execute();
  for (const { request } of rows) {
    const { data } = jsonText(requestSchema).safeParse(request);
    if (data === undefined) continue;
    const own = Object.values(data.sides ?? {}).flatMap(({ target }) => target ?? []);
    const trusting = [...own, data.target].find(
      ({ https, origin: at, trust }) => trust !== undefined && [https, at].includes(origin),
    );
    if (trusting?.trust !== undefined) return trusting.trust;
  }
  return null;
}

/** Changes to permitted targets, the newest first. */
export async function listTargetEvents({ queries }: Database, limit: number): Promise<TargetEvent[]> {
  const rows = await queries
    .selectFrom('auditLog')
    .select(['id', 'at', 'who', 'keyName as key', 'what', 'host', 'note'])
    .where('what', 'in', targetActionSchema.options)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ key, ...row }) =>
    targetEventSchema.parse({ ...row, who: printActor({ name: row.who, key }) }),
  );
}

/** An action in the log, without the words for it. */
export type AuditRow = Omit<AuditEvent, 'act'>;

const logRowSchema = auditEventSchema.omit({ act: true });

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
  const found = (await query.execute()).map((row) => logRowSchema.parse(row));
  return pageOf(found, limit, (last) => last);
}
