import { networkInterfaces } from 'node:os';
import { usualInitialWindow } from '../../../../shared/kinds/comparison/link-text.ts';
import { type Carrier, startLinkProcess } from '../carrier.ts';
import { forwarderQuestions } from '../messages.ts';
import type { RelayTarget } from '../relay.ts';

/** A path over a TUN device, with TCP of the kernel at both ends. Rejects with an AnswerProblem where it cannot be used here. */
export async function startForwarder(signal?: AbortSignal): Promise<Carrier> {
  const { pid, ask, stop, ended } = await startLinkProcess({
    script: new URL('./forwarder-process.ts', import.meta.url),
    ...{ questions: forwarderQuestions, name: 'The process that forwards packets', signal },
  });
  try {
    await ask('start', undefined);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    pid,
    async open(link, targets) {
      const { addresses, congestionControl } = await ask('open', { link, targets: [...targets] });
      const { initialWindow = usualInitialWindow } = link;
      return {
        ends: targets.map(({ port }, index) => ({ address: addresses[index] as string, port })),
        async readBy() {
          const counts = await ask('count', { addresses });
          return { name: 'kernel', initialWindow, congestionControl, ...counts };
        },
      };
    },
    close: () => ask('close', undefined),
    ...{ stop, ended },
  };
}

/** Why targets cannot be behind a TUN device, as the end of a sentence; null where they can. */
export function whyNotForwarded(targets: readonly Pick<RelayTarget, 'address'>[]): string | null {
  const own = Object.values(networkInterfaces()).flatMap((found = []) => found.map(({ address }) => address));
  for (const { address } of targets) {
    if (address.includes(':')) return `${address} is an IPv6 address`;
    if (!address.startsWith('127.') && !own.includes(address)) return `${address} is on another host`;
  }
  return null;
}
