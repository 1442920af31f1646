import type { RequestHandler } from 'express';
import { ipKeyGenerator, type Options, rateLimit, type Store } from 'express-rate-limit';
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
    store: countMonotonically(options.windowMs),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler(_request, response, next) {
      const retryAfterS = Math.max(1, Number(response.get('Retry-After') ?? options.windowMs / 1000));
      next(problem(code, { detail, retryAfterS }));
    },
  });
}

/** The library's own store counts on the clock on the wall: set back by an hour, it locks an address out for an hour. */
function countMonotonically(windowMs: number): Store {
  const counted = new Map<string, { hits: number; untilMs: number }>();
  let sweptMs = performance.now();

  function countOf(key: string): { hits: number; untilMs: number } {
    const nowMs = performance.now();
    if (nowMs - sweptMs >= windowMs) {
      for (const [each, { untilMs }] of counted) if (untilMs <= nowMs) counted.delete(each);
      sweptMs = nowMs;
    }
    const known = counted.get(key);
    if (known !== undefined && known.untilMs > nowMs) return known;
    const fresh = { hits: 0, untilMs: nowMs + windowMs };
    counted.set(key, fresh);
    return fresh;
  }

  return {
    localKeys: true,
    increment(key) {
      const count = countOf(key);
      count.hits += 1;
      const leftMs = count.untilMs - performance.now();
      return { totalHits: count.hits, resetTime: new Date(Date.now() + leftMs) };
    },
    decrement(key) {
      const count = countOf(key);
      count.hits = Math.max(0, count.hits - 1);
    },
    resetKey: (key) => void counted.delete(key),
  };
}
