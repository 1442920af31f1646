import { problem } from '../../../shared/base/problem.ts';

/** The last one of a page, where the next page goes on: whatever has arrived in between moves nothing. */
type Cursor = { createdAt: number; id: string };

export function printCursor({ createdAt, id }: Cursor): string {
  return `${createdAt}-${id}`;
}

/** Throws invalid_request, naming the field. */
export function parseCursor(text: string): Cursor {
  const [, createdAt, id] = /^(\d{1,15})-([0-9A-Za-z]{22})$/.exec(text) ?? [];
  if (createdAt === undefined || id === undefined) {
    const message = 'a cursor is the nextCursor of an earlier page';
    throw problem('invalid_request', {
      detail: `The query: cursor: ${message}`,
      errors: [{ field: 'cursor', message }],
    });
  }
  return { createdAt: Number(createdAt), id };
}
