import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Turn } from '../../../../shared/kinds/handshakes/handshake-samples.ts';
import type { Ends, HandshakeCell } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { problemOf } from '../../../base/process/problem-of.ts';
import type { LabProcess } from '../../../drive/handshakes/lab-process.ts';
import { medianInterval } from '../../../method/statistics/median-interval.ts';
import type { HandshakesNotes } from '../analyse/handshakes-notes.ts';
import type { GridProgress } from './grid-progress.ts';

/** Connections before those that count, and those. */
const warmUps = 10;
const connections = 60;

/** Every cell again with the server in one process and the client in another, so that each one's CPU time is its own. */
export async function measureEnds(
  server: LabProcess,
  client: LabProcess,
  notes: HandshakesNotes,
  progress: GridProgress,
  signal: AbortSignal,
): Promise<void> {
  progress.enter('ends apart');
  const directory = await mkdtemp(join(tmpdir(), 'tls-toll-lab-'));
  let sockets = 0;
  try {
    for (const each of [notes.baseline, ...notes.cells]) {
      signal.throwIfAborted();
      if (each.isUsable) {
        await measureCell(each, each.cell);
      }
      progress.advance();
    }
    for (const each of notes.plain) {
      signal.throwIfAborted();
      const { prepared, cell } = notes.baseline;
      if (prepared !== null) await measureCell(each, { ...cell, bytes: each.bytes }, prepared.turns);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }

  async function measureCell(of: { ends: Ends | null }, cell: HandshakeCell, turns?: Turn[]): Promise<void> {
    const path = join(directory, `${++sockets}`);
    const reason = await problemOf(async () => {
      await server.listen(cell, path, turns);
      await client.meet(cell, path, warmUps, turns);
      await server.count();
      const { cpuUs } = await client.dial(cell, path, connections, turns);
      const answered = await server.count();
      const [clientCpuUs, serverCpuUs] = [cpuUs, answered].map((each) => medianInterval([...each]));
      if (clientCpuUs != null && serverCpuUs != null) of.ends = { connections, clientCpuUs, serverCpuUs };
    });
    if (reason !== null) notes.warn(`Client and server could not be measured separately: ${reason}.`);
  }
}
