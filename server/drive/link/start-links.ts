import { problem } from '../../../shared/base/problem.ts';
import type { Link } from '../../../shared/kinds/comparison/link.ts';
import { startAskedProcess } from '../../base/process/start-asked-process.ts';
import { addedMs } from '../../method/statistics/added-delay.ts';
import { pingQuestions, relayQuestions } from './messages.ts';
import type { RelayTarget } from './relay.ts';

/** The relay of a measurement and the pings that watch it: two processes, which end with ours. */
export type Links = {
  pids: readonly number[];
  /** Puts a link of its own in front of each target. More than one kind may be open at a time. */
  open(link: Link, targets: readonly RelayTarget[]): Promise<OpenLink>;
  /** Ends all that is open. */
  close(): Promise<void>;
  stop(): Promise<void>;
};

export type OpenLink = {
  /** Of 127.0.0.1, one for each target. */
  ports: number[];
  /** What it has added to each ping since it was opened, in ms. */
  readAddedMs(): Promise<number[]>;
};

const graceMs = 15_000;

/**
 * Calls reject with the problem `link_failed` when one of the processes dies or hangs.
 * @param signal ends both at once, with what is in flight
 */
export async function startLinks(signal?: AbortSignal): Promise<Links> {
  const started = await Promise.allSettled([
    startAskedProcess({ ...processOf('relay'), questions: relayQuestions, signal }),
    startAskedProcess({ ...processOf('ping'), questions: pingQuestions, signal }),
  ]);
  const stop = async () => {
    await Promise.all(started.map((each) => (each.status === 'fulfilled' ? each.value.stop() : null)));
  };
  const [relay, pings] = started;
  if (relay.status === 'rejected' || pings.status === 'rejected') {
    await stop();
    throw (relay.status === 'rejected' ? relay : (pings as PromiseRejectedResult)).reason;
  }
  const answeringPort = await pings.value.ask('listen', undefined);
  return {
    pids: [relay.value.pid, pings.value.pid],
    async open(link, targets) {
      const known = targets.map(({ address, port }) => ({ address, port }));
      const all = [...known, { address: '127.0.0.1', port: answeringPort }];
      const ports = await relay.value.ask('open', { link, targets: all });
      const port = ports.pop() as number;
      await pings.value.ask('ping', { port }, { expectedMs: 2 * link.roundTripMs });
      return {
        ports,
        async readAddedMs() {
          const { straight, relayed } = await pings.value.ask('read', { port });
          return addedMs([...straight], [...relayed]);
        },
      };
    },
    close: () => relay.value.ask('close', undefined),
    stop,
  };
}

function processOf(name: 'relay' | 'ping') {
  return {
    script: new URL(`./${name}-process.ts`, import.meta.url),
    name: name === 'relay' ? 'The relay' : 'The process that measures the relay',
    code: 'link_failed',
    refused: (reason: string) => problem('link_failed', `The relay failed: ${reason}.`),
    graceMs,
  } as const;
}
