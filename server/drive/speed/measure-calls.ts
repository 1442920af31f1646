import type { Call } from './calls.ts';

/** Reading the clock takes a microsecond; between two readings there is so much work that it does not count. */
const batchUs = 300;
const warmUpUs = 15_000;
const mostWarmUpCalls = 2000;

/** Calls one primitive over and over, in batches that are large enough not to measure the clock. */
export class MeasuredCall {
  readonly #call: Call;
  #batch = 1;

  /** Warms up: code that is compiled, caches that are filled. Throws what the call throws. */
  constructor(call: Call) {
    this.#call = call;
    const end = cpuUs() + warmUpUs;
    for (let calls = 0; calls < mostWarmUpCalls; calls += this.#batch) {
      const began = cpuUs();
      this.#repeat();
      const now = cpuUs();
      if (now - began < batchUs) this.#batch *= 2;
      if (now > end) break;
    }
  }

  /** CPU time is the whole process's: what the calls leave for others to tidy up is theirs. */
  measure(sliceMs: number): { calls: number; cpuUs: number } {
    // What others left behind is not this one's to tidy up.
    globalThis.gc?.();
    const began = cpuUs();
    let elapsed = 0;
    let calls = 0;
    while (elapsed < sliceMs * 1000) {
      this.#repeat();
      calls += this.#batch;
      elapsed = cpuUs() - began;
    }
    return { calls, cpuUs: elapsed };
  }

  #repeat(): void {
    for (let left = this.#batch; left > 0; left--) this.#call();
  }
}

function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
