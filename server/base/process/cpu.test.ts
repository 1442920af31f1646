/** Protects the sum of CPU of processes that come and go: it never goes back, and nothing counts twice. */
import { expect, test } from 'vitest';
import { CpuLedger } from './cpu.ts';
import type { LiveProcess } from './proc.ts';

/** By the number of the process; the ledger reads what is there when it looks. */
const clocks = new Map<number, number | null>();
const member = (pid: number, { startTicks = pid, childTicks = 0 } = {}): LiveProcess => ({
  pid,
  stat: { parentPid: 1, state: 'S', threads: 1, ownTicks: 0, childTicks, startTicks },
});

function ledgerAt(us: Record<number, number>, ...members: LiveProcess[]) {
  const ledger = new CpuLedger(({ pid }) => clocks.get(pid) ?? null);
  const observe = (now: Record<number, number>, ...listed: LiveProcess[]) => {
    clocks.clear();
    for (const [pid, cpuUs] of Object.entries(now)) clocks.set(Number(pid), cpuUs * 1000);
    ledger.observe(listed);
    return [ledger.ownUs - fromUs, ledger.childrenUs];
  };
  let fromUs = 0;
  observe(us, ...members);
  fromUs = ledger.ownUs;
  return observe;
}

test('a process adds what it gained, a new one all it has, an ended one keeps what it had', () => {
  const observe = ledgerAt({ 7: 100, 8: 50 }, member(7), member(8));
  expect(observe({ 7: 130, 9: 7 }, member(7), member(9))).toEqual([37, 0]);
  expect(observe({ 7: 130 }, member(7))).toEqual([37, 0]);
});

test('one that ended since it was listed adds nothing, also when its number is given to a stranger', () => {
  const observe = ledgerAt({ 7: 100, 8: 50 }, member(7), member(8));
  expect(observe({ 7: 100 }, member(7), member(8))).toEqual([0, 0]);
  expect(observe({ 7: 100, 8: 900 }, member(7), member(8))).toEqual([0, 0]);
  expect(observe({ 7: 100, 8: 905 }, member(7), member(8, { startTicks: 99 }))).toEqual([905, 0]);
});

test('a clock that goes back is a stranger’s', () => {
  const observe = ledgerAt({ 7: 100 }, member(7));
  expect(observe({ 7: 40 }, member(7))).toEqual([0, 0]);
});

test('children that nobody saw count in ticks once they were waited for', () => {
  const observe = ledgerAt({ 7: 100 }, member(7, { childTicks: 3 }));
  expect(observe({ 7: 100 }, member(7, { childTicks: 5 }))[1]).toBe(30_000 + 20_000);
});

test('of a child that was seen only the rest counts, in whatever order it is found out', () => {
  const observe = ledgerAt({ 7: 0, 8: 15_000 }, member(7), member(8));
  expect(observe({ 7: 0 }, member(7, { childTicks: 4 }))).toEqual([0, 25_000]);
  const late = ledgerAt({ 7: 0, 8: 15_000 }, member(7), member(8));
  expect(late({ 7: 0 }, member(7))).toEqual([0, 0]);
  expect(late({ 7: 0 }, member(7, { childTicks: 4 }))).toEqual([0, 25_000]);
});
