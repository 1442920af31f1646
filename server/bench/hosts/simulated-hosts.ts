import { setTimeout as pause } from 'node:timers/promises';
import { answerQuestions } from '../../base/process/answer-questions.ts';
import type { OrderOf } from '../../drive/load/hosts/host-messages.ts';
import { TimeCounts } from '../../method/statistics/time-counts.ts';
import { joinSimulated } from '../../testing/join-simulated.ts';
import { simulatedQuestions } from './simulated-questions.ts';

/** Generator hosts that answer every order at once, all in this process: what is left is the work of their conductor. */

/** New connections from one address that a dashboard takes: ten a second. */
const joinEveryMs = 110;
/** Latencies of an epoch, each of another length. */
const recorded = 500;

answerQuestions(simulatedQuestions, {
  async join({ ports, each, fingerprint, token }) {
    await Promise.all(ports.map((port, place) => joinAt(port, place)));

    async function joinAt(port: number, place: number): Promise<void> {
      for (let nth = 0; nth < each; nth++) {
        const name = `host-${place}-${nth}`;
        await joinSimulated({ address: '127.0.0.1', port, fingerprint }, { token, name, answerTo });
        await pause(joinEveryMs);
      }
    }
  },
});

const latencies = new TimeCounts();
for (let nth = 0; nth < recorded; nth++) latencies.record(200 + 3 * nth);
const packed = latencies.pack();
const none = new TimeCounts().pack();
const phases = { latencyUs: packed, connectUs: none, tlsUs: none, ttfbUs: packed, downloadUs: packed };
const burst = {
  ...{ elapsedUs: 30_000, windowUs: 30_000, started: 100, succeeded: 100, transactionsInWindow: 100 },
  ...{ cpuUs: 10_000, lateUs: 20 },
};
const connecting = { connectionsOpened: 1, handshakesFull: 1, handshakesResumed: 0, renegotiations: 0 };
const epoch = {
  ...{ elapsedUs: 1e6, windowUs: 1e6, started: recorded, succeeded: recorded, succeededInWindow: recorded },
  ...{ due: null, requests: recorded, wireBytesRead: 1e6, wireBytesWritten: 1e5, bodyBytes: 1e6 },
  ...{ ...connecting, lifetime: connecting, negotiated: null, errors: [], cpuUs: 1e5 },
  ...{ executionUs: 0, executions: 0, transaction: phases, latencyFromDue: none, lateness: none },
  steps: [phases],
};

function answerTo(order: OrderOf<'take' | 'ask'>): unknown {
  if (order.type === 'take') return undefined;
  if (order.name === 'burst') return burst;
  if (order.name === 'collect') return epoch;
  if (order.name === 'prepare') return { ...connecting, negotiated: null, errors: [] };
  return undefined;
}
