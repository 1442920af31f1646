import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';

/** Names every answer, so that a report of a mistake finds its line in the log. */
export const assignRequestId: RequestHandler = (_request, response, next) => {
  response.set('X-Request-Id', randomUUID());
  next();
};

export function requestIdOf(response: Response): string {
  return String(response.get('X-Request-Id'));
}
