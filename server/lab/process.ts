import type { LabCell } from '../../shared/lab.ts';
import { CellBench, sessionOf } from './cell-bench.ts';
import { libraryReason } from './library-reason.ts';
import { type Command, commandSchema, type Reply } from './messages.ts';
import { type Answering, callOver, listen, type Speech } from './over-socket.ts';
import { timeEach } from './samples.ts';

/** A process of the lab: so that nothing else is in its figures, told by IPC what to do, gone when its parent is. */

const bench = new CellBench();
let answering: Answering | null = null;
let session: Buffer | null = null;

process.on('message', (message) => {
  const command = commandSchema.parse(message);
  carryOut(command).then(reply, (error: unknown) => {
    reply({ type: 'refused', call: command.call, reason: libraryReason(error) });
  });
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C goes to every process of the terminal. The parent decides when the lab ends.
process.on('SIGINT', () => {});

async function carryOut(command: Command): Promise<Reply> {
  const { call } = command;
  switch (command.type) {
    case 'prepare':
      return { type: 'prepared', call, prepared: await bench.prepare(command.cell) };
    case 'visit': {
      const { cell, turns, connections } = command;
      const visit =
        turns === null ? bench.visit(cell, connections) : bench.visitPlain(turns, cell.bytes, connections);
      return { type: 'visited', call, samples: await visit };
    }
    case 'listen':
      answering?.server.close();
      answering = await listen(command.path, command.turns ?? (await bench.serverOf(command.cell)));
      return { type: 'done', call };
    case 'meet':
    case 'dial': {
      const { cell, turns, path, connections } = command;
      const speech = turns ?? bench.clientOf(cell);
      if (command.type === 'meet') session = await meet(path, speech, cell);
      const samples = await timeEach(connections, () => callOver(path, speech, { cell, session }));
      return { type: 'visited', call, samples };
    }
    case 'count':
      return { type: 'counted', call, cpuUs: betweenArrivals(answering?.takeArrivals() ?? []) };
  }
}

/** The session that later connections resume; null where they do not. */
async function meet(path: string, speech: Speech, cell: LabCell): Promise<Buffer | null> {
  if (cell.resumption === 'full' || Array.isArray(speech)) return null;
  return sessionOf((call) => callOver(path, speech, { cell: { ...cell, bytes: 1 }, ...call }));
}

/** Of each connection but the last: until the next one came. */
function betweenArrivals(arrivals: readonly number[]): Float64Array<ArrayBuffer> {
  return Float64Array.from(arrivals.slice(1), (arrival, index) => arrival - (arrivals[index] as number));
}

function reply(message: Reply): void {
  // Where the parent is gone there is nobody to tell; the disconnect ends this process.
  process.send?.(message, () => {});
}
