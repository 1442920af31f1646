import type { HandshakeCell, Prepared, Samples, Turn } from '../../../shared/kinds/handshakes/handshakes.ts';
import { startAskedProcess, steadyHeap } from '../../base/process/asked-process.ts';
import { questions } from './messages.ts';

export type LabProcess = {
  pid: number;
  prepare(cell: HandshakeCell): Promise<Prepared>;
  /** `turns`, when there are any, are played without TLS. */
  visit(cell: HandshakeCell, connections: number, turns?: Turn[] | null): Promise<Samples>;
  listen(cell: HandshakeCell, path: string, turns?: Turn[] | null): Promise<void>;
  /** Before `dial`: a session, where the cell resumes, and connections that do not count. */
  meet(cell: HandshakeCell, path: string, connections: number, turns?: Turn[] | null): Promise<void>;
  dial(cell: HandshakeCell, path: string, connections: number, turns?: Turn[] | null): Promise<Samples>;
  /** Resolves with a port of 127.0.0.1. */
  serve(cell: HandshakeCell | null): Promise<number>;
  /** Times of new connections, in milliseconds. @param longestMs of one connection, about */
  reach(
    cell: HandshakeCell | null,
    where: { address: string; port: number; nearPort: number; connections: number },
    longestMs: number,
  ): Promise<Float64Array>;
  /** CPU time of each connection answered since the last count, in microseconds. */
  count(): Promise<Float64Array>;
  stop(): Promise<void>;
};

/** Past this, and what was expected, an answer will not come: a key of 4,096 bits may take seconds to make. */
export const labGraceMs = 30_000;

/** A connection of 10 MB takes a second. */
const msPerConnection = 2000;

/** Calls reject with an AnswerProblem, or with the problem `lab_failed` when the process dies or hangs. */
export async function startLabProcess(): Promise<LabProcess> {
  const { pid, ask, stop } = await startAskedProcess({
    script: new URL('./process.ts', import.meta.url),
    questions,
    name: 'The lab’s process',
    code: 'lab_failed',
    graceMs: labGraceMs,
    execArgv: steadyHeap,
  });
  const lasting = (connections: number) => ({ expectedMs: connections * msPerConnection });
  return {
    pid,
    prepare: (cell) => ask('prepare', { cell }),
    visit: (cell, connections, turns = null) =>
      ask('visit', { cell, connections, turns }, lasting(connections)),
    listen: (cell, path, turns = null) => ask('listen', { cell, path, turns }),
    meet: (cell, path, connections, turns = null) =>
      ask('meet', { cell, path, connections, turns }, lasting(connections)),
    dial: (cell, path, connections, turns = null) =>
      ask('dial', { cell, path, connections, turns }, lasting(connections)),
    serve: (cell) => ask('serve', { cell }),
    reach: (cell, where, longestMs) =>
      ask('reach', { cell, ...where }, { expectedMs: where.connections * longestMs }),
    count: () => ask('count', undefined),
    stop,
  };
}
