import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { z } from 'zod';
import { countSchema, nonNegativeSchema } from '../../../shared/base/units.ts';

/**
 * A known cost put on each request, so that benches and tests can see whether a run finds it. The product never asks for
 * one: neither its API nor its command line can name it.
 */
export const perturbationSchema = z.strictObject({
  /** CPU time of this process, burned before the application is given the request. */
  cpuUs: nonNegativeSchema,
  /** Objects made before that and held for enough requests that they survive collections of the young generation. */
  garbageObjects: countSchema,
  /** Waited after that, to the microsecond; the last 2 ms of it use CPU. */
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
  const litter = lateGarbage();
  return {
    perturb(next) {
      current = next;
    },
    listener(request: IncomingMessage, response: ServerResponse) {
      if (current === null) return application(request, response);
      const { cpuUs, garbageObjects, sleepMs, bodyBytes } = current;
      if (garbageObjects > 0) litter(garbageObjects);
      if (cpuUs > 0) burn(cpuUs);
      if (bodyBytes > 0) lengthen(response, bodyBytes);
      if (sleepMs > 0) sleepExactly(sleepMs, () => application(request, response));
      else application(request, response);
    },
  };
}

/**
 * Until the process has used so much CPU time: while it has to give way it burns nothing, so the burden is the same on a
 * disturbed machine. Reading the count takes longer than reading the clock, so it is asked when the time may be up.
 */
function burn(cpuUs: number): void {
  const from = usedCpuUs();
  for (let left = cpuUs; left > 0; left = cpuUs - (usedCpuUs() - from)) {
    const until = performance.now() + left / 1000;
    while (performance.now() < until);
  }
}

function usedCpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

const requestsHeld = 256;

type Link = { next: Link | null; place: number };

/** Making the objects is the smaller part of their cost; copying them as they survive comes with a later request. */
function lateGarbage(): (objects: number) => void {
  const held: (Link | null)[] = new Array(requestsHeld).fill(null);
  let request = 0;
  return (objects) => {
    let chain: Link | null = null;
    for (let place = 0; place < objects; place++) chain = { next: chain, place };
    held[request++ % requestsHeld] = chain;
  };
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

/** Timers count in whole milliseconds from the last turn of the event loop: one of 5 ms takes 4.3 to 6. */
const timerErrorMs = 2;

/** Waits on a timer that is sure to end in time, then spins: the length is exact, and the last 2 ms use CPU. */
function sleepExactly(sleepMs: number, wake: () => void): void {
  const until = performance.now() + sleepMs;
  const spinToEnd = () => {
    while (performance.now() < until);
    wake();
  };
  const onTimerMs = Math.floor(sleepMs - timerErrorMs);
  if (onTimerMs < 1) spinToEnd();
  else setTimeout(spinToEnd, onTimerMs);
}
