/** Protects a grid as it is measured: what is refused, canceled or dies costs nothing else. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type GridAxes, handshakesFactsSchema } from '../../../shared/kinds/handshakes/handshakes.ts';
import type { CellsEvent } from '../../../shared/measurement/measurement.ts';
import { conductInTest } from '../../testing/conduct-in-test.ts';
import { handshakes, handshakesCommand } from './kind.ts';

function requestOf(grid: GridAxes, connections: number) {
  return { kind: 'handshakes', grid, legacy: true, connections, seed: 5 };
}

test('a grid is measured whole: what the library refuses is listed, and the rest goes on', async () => {
  const steps: CellsEvent[] = [];
  const request = requestOf({ ciphers: ['RC4-MD5', 'NULL-SHA256', 'TLS_AES_128_GCM_SHA256'] }, 24);
  const { facts: outcome, error } = await conductInTest(handshakes, request, {
    tell: (step) => void steps.push(step as CellsEvent),
  });
  expect(error).toBeNull();
  expect(handshakesFactsSchema.parse(JSON.parse(JSON.stringify(outcome)))).toEqual(outcome);
  expect(outcome.seed).toBe(5);
  expect(handshakesCommand(handshakes.requestSchema.parse(request), outcome.seed)).toBe(
    'npx tls-toll handshakes --cipher RC4-MD5,NULL-SHA256,TLS_AES_128_GCM_SHA256 --legacy --num 24 --seed 5',
  );
  expect(outcome.cells.map(({ status }) => status)).toEqual([
    ...['not-negotiated', 'not-negotiated'],
    ...['measured', 'measured', 'measured', 'measured'],
  ]);
  expect(outcome.cells[0]).toMatchObject({ reason: 'this machine’s TLS library has no such cipher suite' });

  for (const cell of outcome.cells.slice(2)) {
    if (cell.status !== 'measured') throw new Error(`${cell.cell.id} was not measured`);
    expect(cell.connections).toBe(24);
    expect(cell.agreed.reused).toBe(cell.cell.resumption === 'resumed');
    expect(cell.roundRatios).toHaveLength(12);
    const isBaseline = cell.cell.id === outcome.baseline?.cell.id;
    if (isBaseline) expect(cell).toMatchObject({ ratio: null, cpuUs: outcome.baseline?.cpuUs });
    else expect(cell.ratio?.lo).toBeLessThanOrEqual(cell.ratio?.hi as number);
    // Without TLS there is less to do, whatever else runs on the machine.
    expect(cell.cpuUs.median).toBeGreaterThan(outcome.plain[0]?.cpuUs.median as number);
    expect(cell.ends?.serverCpuUs.lo).toBeGreaterThan(0);
    expect(cell.ends?.clientCpuUs.lo).toBeGreaterThan(0);
  }
  const full = outcome.cells.find(({ cell }) => cell.version === 'TLSv1.3' && cell.resumption === 'full');
  const resumed = outcome.cells.find(
    ({ cell }) => cell.cipher === 'NULL-SHA256' && cell.resumption === 'resumed',
  );
  if (full?.status !== 'measured' || resumed?.status !== 'measured') throw new Error('not measured');
  expect(resumed.ratio?.center).toBeLessThan(full.ratio?.center ?? 1);

  const fractions = steps.flatMap((step) => (step.type === 'progress' ? [step.fraction] : []));
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect(fractions.at(-1)).toBe(1);
});

test('a measurement that is canceled keeps its rounds, and stops at once', async () => {
  const cancellation = new AbortController();
  let told = 0;
  const { facts: outcome, error } = await conductInTest(
    handshakes,
    requestOf({ keys: ['P-256', 'RSA-2048'] }, 100_000),
    {
      signal: cancellation.signal,
      tell: ({ type }) => {
        if (type === 'cells' && ++told === 2) cancellation.abort();
      },
    },
  );
  expect(error).not.toBeNull();
  expect(outcome.cells.some(({ status }) => status === 'measured')).toBe(true);
  expect(outcome.cells.every(({ status }) => status !== 'failed')).toBe(true);
});

test('when the process of the lab dies, what it measured is kept', async () => {
  let told = 0;
  const { facts: outcome, error } = await conductInTest(
    handshakes,
    requestOf({ keys: ['P-256', 'RSA-2048'] }, 100_000),
    {
      tell: ({ type }) => {
        if (type === 'cells' && ++told === 2) for (const pid of labProcesses()) process.kill(pid, 'SIGKILL');
      },
    },
  );
  expect(error).toMatchObject({
    problem: { code: 'lab_failed', detail: 'The lab’s process ended (SIGKILL).' },
  });
  expect(outcome.cells.some(({ status }) => status === 'measured')).toBe(true);
  expect(labProcesses()).toEqual([]);
});

/** Lab processes that this process has started. */
function labProcesses(): number[] {
  return readdirSync('/proc/self/task')
    .flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' '))
    .filter(
      (pid) =>
        pid !== '' &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server/drive/lab/handshake-process.ts'),
    )
    .map(Number);
}

test('where client and server cannot be parted, the rest stands', async () => {
  // The path of a socket is shorter than that of a directory may be.
  const long = mkdtempSync(join(tmpdir(), `tls-toll-test-${'x'.repeat(100)}`));
  vi.stubEnv('TMPDIR', long);
  try {
    const { facts, error } = await conductInTest(handshakes, requestOf({ resumption: ['full'] }, 2));
    const { cells, warnings } = facts;
    expect(error).toBeNull();
    expect(cells).toMatchObject([{ status: 'measured', connections: 2, ends: null, ratio: null }]);
    expect(warnings).toEqual([
      expect.stringMatching(/^Client and server could not be measured separately: /),
    ]);
  } finally {
    vi.unstubAllEnvs();
    rmSync(long, { recursive: true });
  }
});
