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
  /** What takes longer is ended. */
  longestMs: number;
};

/**
 * OpenSSL renews the number that blinds RSA signatures every 32 signatures (`BN_BLINDING_COUNTER`), so parts of new connections have 32 requests.
 */
export function countTimes({ connectionPolicy }: Pick<ExplainRequest, 'connectionPolicy'>): CountTimes {
  const requests =
    connectionPolicy === 'keep-alive' ? { warmUp: 512, requests: 128 } : { warmUp: 32, requests: 32 };
  return { ...requests, parts: 7, longestMs: 15 * 60_000 };
}

/** Of a request: Valgrind makes a server about 50 times slower. */
export const countedTimeoutMs = 30_000;

type CountPhase = 'preparing' | 'measuring';

/** Each part of each side is a round. */
export function countPhases({ parts }: Pick<CountTimes, 'parts'>): Phase<CountPhase>[] {
  return [
    { name: 'preparing', seconds: 8 },
    { name: 'measuring', seconds: 2 * parts * 1.5, rounds: 2 * parts },
  ];
}
