import { readFileSync } from 'node:fs';
import { startLabProcess } from '../../drive/handshakes/lab-process.ts';
import { baseline } from '../../kinds/handshakes/plan/plan-handshakes.ts';
import { quantile } from '../../method/statistics/quantile.ts';
import type { Figure } from '../figure.ts';

const visits = 200;
const connections = 500;

/** Resident memory of the lab's process over 100,000 handshakes: its second half against its first. */
export async function measureMemory(): Promise<Figure[]> {
  const lab = await startLabProcess();
  try {
    const megabytes: number[] = [];
    for (let visit = 0; visit < visits; visit++) {
      await lab.visit(baseline, connections);
      megabytes.push(residentMegabytes(lab.pid));
    }
    const halves = [megabytes.slice(visits / 20, visits / 2), megabytes.slice(visits / 2)];
    // What is in use just after garbage was collected; in between it rises and falls.
    const [first = 0, second = 0] = halves.map((half) => quantile(half, 0.1));
    return [
      {
        bench: 'lab',
        figure: `memory over ${(visits * connections).toLocaleString('en')} handshakes`,
        value: quantile(megabytes, 0.5),
        unit: 'MB',
        range: [Math.min(...megabytes), Math.max(...megabytes)],
        atMost: null,
      },
      {
        bench: 'lab',
        figure: 'the second half of them against the first',
        value: second / first,
        unit: '×',
        range: null,
        atMost: 1.05,
      },
    ];
  } finally {
    await lab.stop();
  }
}

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1000;
}
