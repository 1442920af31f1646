import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { z } from 'zod';
import { countSchema, nonNegativeSchema } from '../../../shared/units.ts';

/**
 * A known cost put on each request, so that benches and tests can see whether a run finds it. The product never asks for
 * one: neither its API nor its command line can name it.
 */
export const perturbationSchema = z.strictObject({
  /** Burnt before the application is given the request. */
  cpuUs: nonNegativeSchema,
  /** Waited after that. */
  sleepMs: nonNegativeSchema,
  /** Spaces after the body of the answer. */
  bodyBytes: countSchema,
});
export type Perturbation = z.infer<typeof perturbationSchema>;

export type PerturbedApplication = {
  listener: RequestListener;
  /** From the next request on; null for none. */
  perturb(perturbation: Perturbation | null): void;
};

/** The application behind a perturbation that is off. While it is, a request pays one comparison for it. */
export function perturbable(application: RequestListener): PerturbedApplication {
  let current: Perturbation | null = null;
  const sleep = exactSleep();
  return {
    perturb(next) {
      current = next;
    },
    listener(request: IncomingMessage, response: ServerResponse) {
      if (current === null) return application(request, response);
      const { cpuUs, sleepMs, bodyBytes } = current;
      burn(cpuUs);
      if (bodyBytes > 0) lengthen(response, bodyBytes);
      if (sleepMs > 0) sleep(sleepMs, () => application(request, response));
      else application(request, response);
    },
  };
}

function burn(cpuUs: number): void {
  const until = performance.now() + cpuUs / 1000;
  while (performance.now() < until);
}

/** The shop sends each body whole, at the end. */
function lengthen(response: ServerResponse, bytes: number): void {
  const end = response.end.bind(response) as (body?: unknown) => ServerResponse;
  response.end = ((body?: unknown) => {
    if (!Buffer.isBuffer(body)) return end(body);
    response.setHeader('Content-Length', body.length + bytes);
    return end(Buffer.concat([body, Buffer.alloc(bytes, ' ')]));
  }) as ServerResponse['end'];
}

/**
 * Timers count in whole milliseconds from the last turn of the event loop, so one of 5 ms takes 4.3 to 6. What each was too
 * long or too short is owed to the next ones: the mean is what was asked for.
 */
function exactSleep(): (sleepMs: number, wake: () => void) => void {
  let owedMs = 0;
  return (sleepMs, wake) => {
    const begunAt = performance.now();
    const plannedMs = Math.max(1, Math.round(sleepMs + owedMs));
    owedMs += sleepMs - plannedMs;
    setTimeout(() => {
      owedMs += plannedMs - (performance.now() - begunAt);
      wake();
    }, plannedMs);
  };
}
