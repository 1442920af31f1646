import type { LabCell } from '../../shared/lab.ts';
import type { Prepared, Samples, Turn } from '../../shared/lab-samples.ts';
import { startAskedProcess } from '../process/start-asked-process.ts';
import { type Command, type Reply, replySchema } from './messages.ts';

/** The parent's end of one process of the lab. */
export type LabProcess = {
  pid: number;
  prepare(cell: LabCell): Promise<Prepared>;
  /** `turns`, when there are any, are played without TLS. */
  visit(cell: LabCell, connections: number, turns?: Turn[]): Promise<Samples>;
  listen(cell: LabCell, path: string, turns?: Turn[]): Promise<void>;
  /** Before `dial`: a session, where the cell resumes, and connections that do not count. */
  meet(cell: LabCell, path: string, connections: number, turns?: Turn[]): Promise<void>;
  dial(cell: LabCell, path: string, connections: number, turns?: Turn[]): Promise<Samples>;
  /** CPU time of each connection answered since the last count, in microseconds. */
  count(): Promise<Float64Array>;
  stop(): Promise<void>;
};

/** A connection of 10 MB takes a second. */
const msPerConnection = 2000;

/** Calls reject with a Refusal, or with the problem `lab_failed` when the process dies or hangs. */
export async function startLabProcess(): Promise<LabProcess> {
  const { pid, ask, stop } = await startAskedProcess<Command, Exclude<Reply, { type: 'refused' }>>({
    script: new URL('./process.ts', import.meta.url),
    execArgv: [],
    replySchema,
    name: 'The lab’s process',
  });
  return {
    pid,
    prepare: async (cell) => (await ask('prepared', { type: 'prepare', cell })).prepared,
    async visit(cell, connections, turns) {
      const command = { type: 'visit', cell, connections, turns: turns ?? null } as const;
      return (await ask('visited', command, connections * msPerConnection)).samples;
    },
    async listen(cell, path, turns) {
      await ask('done', { type: 'listen', cell, path, turns: turns ?? null });
    },
    async meet(cell, path, connections, turns) {
      const command = { type: 'meet', cell, path, connections, turns: turns ?? null } as const;
      await ask('visited', command, connections * msPerConnection);
    },
    async dial(cell, path, connections, turns) {
      const command = { type: 'dial', cell, path, connections, turns: turns ?? null } as const;
      return (await ask('visited', command, connections * msPerConnection)).samples;
    },
    count: async () => (await ask('counted', { type: 'count' })).cpuUs,
    stop,
  };
}
