import type { HandshakeCell } from '../../../shared/kinds/handshakes/handshakes.ts';
import { answerQuestions } from '../../base/process/answer-questions.ts';
import { CellBench, sessionOf } from './cell-bench.ts';
import { libraryReason } from './library-reason.ts';
import { questions } from './messages.ts';
import { reach, serve } from './over-port.ts';
import { type Answering, callOver, listen, type Speech } from './over-socket.ts';
import { timeEach } from './samples.ts';

/** A process of the lab, so that nothing else is in its figures. */

const bench = new CellBench();
let answering: Answering | null = null;
let session: Buffer | null = null;

answerQuestions(
  questions,
  {
    prepare: ({ cell }) => bench.prepare(cell),
    visit: ({ cell, turns, connections }) =>
      turns === null ? bench.visit(cell, connections) : bench.visitPlain(turns, cell.bytes, connections),
    async listen({ cell, turns, path }) {
      answering?.server.close();
      answering = await listen(path, turns ?? (await bench.serverOf(cell)));
    },
    async meet({ cell, turns, path, connections }) {
      const speech = turns ?? bench.clientOf(cell);
      session = await meet(path, speech, cell);
      await timeEach(connections, () => callOver(path, speech, { cell, session }));
    },
    dial({ cell, turns, path, connections }) {
      const speech = turns ?? bench.clientOf(cell);
      return timeEach(connections, () => callOver(path, speech, { cell, session }));
    },
    serve: async ({ cell }) => serve(cell === null ? null : await bench.serverOf(cell)),
    reach: ({ cell, ...where }) =>
      reach(cell === null ? null : { cell, context: bench.clientOf(cell) }, where),
    count: () => betweenArrivals(answering?.takeArrivals() ?? []),
  },
  { reasonOf: libraryReason },
);

/** The session that later connections resume; null where they do not. */
async function meet(path: string, speech: Speech, cell: HandshakeCell): Promise<Buffer | null> {
  if (cell.resumption === 'full' || Array.isArray(speech)) return null;
  return sessionOf((call) => callOver(path, speech, { cell: { ...cell, bytes: 1 }, ...call }));
}

/** Of each connection but the last: until the next one came. */
function betweenArrivals(arrivals: readonly number[]): Float64Array<ArrayBuffer> {
  return Float64Array.from(arrivals.slice(1), (arrival, index) => arrival - (arrivals[index] as number));
}
