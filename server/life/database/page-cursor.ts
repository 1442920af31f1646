import { problemOfField } from '../../../shared/base/problem.ts';

/** The last one of a page, where the next page goes on: whatever has arrived in between moves nothing. */
type Cursor = { at: number; id: string };

export type PageQuery = { limit: number; cursor?: string | undefined };

/** The page of what was found, which is one more where another page follows. */
export function pageOf<Row>(
  found: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => Cursor,
): { page: Row[]; nextCursor: string | null } {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  if (found.length <= limit || last === undefined) return { page, nextCursor: null };
  const { at, id } = cursorOf(last);
  return { page, nextCursor: `${at}-${id}` };
}

/** Throws invalid_request, naming the field. */
export function parseCursor(text: string): Cursor {
  const [, at, id] = /^(\d{1,15})-([\w-]{22})$/.exec(text) ?? [];
  if (at !== undefined && id !== undefined) return { at: Number(at), id };
  throw problemOfField(
    'invalid_request',
    'cursor',
    'a cursor is the nextCursor of an earlier page',
    'The query: cursor',
  );
}
