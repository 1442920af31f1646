import type { RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { problem } from '../../../shared/base/problem.ts';
import { actorOf } from './actor.ts';
import { isFromElsewhere } from './origin-guard.ts';

const windowMs = 60_000;

/**
 * At most so many requests a minute from one user, or one address where nobody is signed in. Those that pages of other sites lead to are counted apart: a page
 * that sends a tab here again and again uses up its own share, not the user's.
 */
export function limitRate(requestsPerMinute: number): RequestHandler {
  return rateLimit({
    windowMs,
    limit: requestsPerMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (request, response) =>
      `${actorOf(response)?.id ?? ipKeyGenerator(request.ip ?? '')} ${isFromElsewhere(request)}`,
    handler: (_request, response, next) => {
      const retryAfterS = Math.max(1, Number(response.get('Retry-After') ?? windowMs / 1000));
      next(
        problem('too_many_requests', {
          detail: `More than ${requestsPerMinute} requests came from you or this address within a minute.`,
          retryAfterS,
        }),
      );
    },
  });
}
