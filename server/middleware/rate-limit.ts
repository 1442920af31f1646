import type { RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { problem } from '../../shared/problem.ts';

const windowMs = 60_000;

/** At most so many requests a minute from one address. */
export function limitRate(requestsPerMinute: number): RequestHandler {
  return rateLimit({
    windowMs,
    limit: requestsPerMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: (_request, response, next) => {
      const retryAfterS = Math.max(1, Number(response.get('Retry-After') ?? windowMs / 1000));
      next(
        problem('too_many_requests', {
          detail: `More than ${requestsPerMinute} requests came from this address within a minute.`,
          retryAfterS,
        }),
      );
    },
  });
}
