import { setPriority } from 'node:os';
import { answerQuestions } from '../../base/process/asked-process.ts';
import { Forwarder } from './forwarder.ts';
import { forwarderQuestions } from './link-messages.ts';
import { demandCongestionControl } from './tun-device.ts';

/** The process of a forwarder: its work is neither the client's nor the server's. */

/** Before what is measured: a packet that is due is not kept waiting by a busy core. */
const priority = -10;

const forwarder = new Forwarder();

answerQuestions(forwarderQuestions, {
  async start() {
    await forwarder.start();
    goFirst();
  },
  async open({ link, targets, seed }) {
    const congestionControl = demandCongestionControl(link);
    return { addresses: await forwarder.open(link, targets, seed), congestionControl };
  },
  count: ({ addresses }) => forwarder.count(addresses),
  close: () => forwarder.close(),
});

function goFirst(): void {
  try {
    setPriority(priority);
  } catch {
    // With CAP_NET_ADMIN alone it may not: packets are then late on a busy machine, which the pings show.
  }
}
