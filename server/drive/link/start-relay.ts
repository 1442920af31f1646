import type { Link } from '../../../shared/kinds/comparison/link.ts';
import { AnswerProblem } from '../../base/process/start-asked-process.ts';
import { type Carrier, startLinkProcess } from './carrier.ts';
import { relayQuestions } from './messages.ts';

/** A relay between sockets: it needs no right, and imitates no slow start. @param why it is used, as the end of a sentence */
export async function startRelay(why: string, signal?: AbortSignal): Promise<Carrier> {
  const { pid, ask, stop, ended } = await startLinkProcess({
    script: new URL('./relay-process.ts', import.meta.url),
    ...{ questions: relayQuestions, name: 'The relay', signal },
  });
  return {
    pid,
    async open(link, targets) {
      if (needsKernel(link))
        throw new AnswerProblem(
          `loss, an initial window, and a congestion control need Linux TCP over a TUN device, but ${why}`,
        );
      const ports = await ask('open', { link, targets: [...targets] });
      return {
        ends: ports.map((port) => ({ address: '127.0.0.1', port })),
        readBy: async () => ({ name: 'relay', why }),
      };
    },
    close: () => ask('close', undefined),
    ...{ stop, ended },
  };
}

function needsKernel({ lossPercent, initialWindow, congestionControl }: Link): boolean {
  return [lossPercent, initialWindow, congestionControl].some((part) => part !== undefined);
}
