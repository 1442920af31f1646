import type { RequestHandler } from 'express';
import { ipKeyGenerator, type Options, rateLimit } from 'express-rate-limit';
import { problem } from '../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';
import { actorOf } from './actor.ts';
import { isFromElsewhere } from './origin-guard.ts';

/**
 * At most so many requests a minute from one user, or one address where nobody is signed in. Those that pages of other sites lead to are counted apart: a page
 * that sends a tab here again and again uses up its own share, not the user's.
 */
export function limitRate(requestsPerMinute: number): RequestHandler {
  const detail = `More than ${requestsPerMinute} requests came from you or this address within a minute.`;
  return limiter('too_many_requests', detail, {
    windowMs: 60_000,
    limit: requestsPerMinute,
    keyGenerator: (request, response) =>
      `${actorOf(response)?.id ?? ipKeyGenerator(request.ip ?? '')} ${isFromElsewhere(request)}`,
  });
}

/** Refuses more than `limit` in `windowMs` from whoever has the same key, and says when to come again. */
export function limiter(
  code: ProblemCode,
  detail: string,
  options: Partial<Options> & Pick<Options, 'windowMs'>,
): RequestHandler {
  return rateLimit({
    ...options,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler(_request, response, next) {
      const retryAfterS = Math.max(1, Number(response.get('Retry-After') ?? options.windowMs / 1000));
      next(problem(code, { detail, retryAfterS }));
    },
  });
}
