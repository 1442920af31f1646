import type { ExplainRequest } from '../../../../shared/kinds/explain/explain.ts';
import type { Phase } from '../../../../shared/measurement/estimate-progress.ts';

/** How instructions are counted. */
export type CountTimes = {
  /** Requests before anything is counted. */
  warmUp: number;
  /** Requests of a part. */
  requests: number;
  /** An odd number. */
  parts: number;
};

/**
 * RSA makes the number that blinds its signatures anew for every 32nd (`BN_BLINDING_COUNTER` of OpenSSL), so that parts of new connections are as
 * long.
 */
export function countTimes({ connectionPolicy }: Pick<ExplainRequest, 'connectionPolicy'>): CountTimes {
  return connectionPolicy === 'keep-alive'
    ? { warmUp: 512, requests: 128, parts: 7 }
    : { warmUp: 32, requests: 32, parts: 7 };
}

/** Of a server that Valgrind slows down. */
export const countedTimeoutMs = 30_000;
export const longestCountMs = 15 * 60_000;

type CountPhase = 'preparing' | 'measuring';

/** A part of either side is a round. */
export function countPhases({ parts }: CountTimes): Phase<CountPhase>[] {
  return [
    { name: 'preparing', seconds: 8 },
    { name: 'measuring', seconds: 2 * parts * 1.5, rounds: 2 * parts },
  ];
}
