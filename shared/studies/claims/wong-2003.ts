import { printNumber } from '../../base/quantity.ts';
import type { Claim } from '../claim.ts';
import { wong2003 } from '../tables/wong-2003.ts';

/** Every row of Wong's table, and what he says about the cache. The rule of a rounded figure spans everything that rounds to it. */

const { transactionsPer10Min: in10Min, transactionsPerS: perS, webServerCpuPercent: cpu } = wong2003;
const { webServerMemoryMB: memory, webServerDiskBytesPerS: disk, executionMs } = wong2003;

/** In percent. */
function changeOf({ baseline, ssl }: { baseline: number; ssl: number }): number {
  return 100 * (ssl / baseline - 1);
}

/** The least and the most that a quotient of two rounded figures can be. */
export function roundedQuotient(
  { baseline, ssl }: { baseline: number; ssl: number },
  half: number,
): { from: number; to: number } {
  return { from: (ssl - half) / (baseline + half), to: (ssl + half) / (baseline - half) };
}

const perSecond = roundedQuotient(perS, 0.05);

const ofStudy = { study: 'wong-2003', by: ['storefront'] } as const;

export const wongClaims: readonly Claim[] = [
  {
    ...ofStudy,
    ...{ id: 'wong-throughput', unit: '%' },
    said: 'SSL costs 6.0 % of the transactions in ten minutes; the source rounds it to 5 %',
    printed: `${printNumber(in10Min.baseline, 0)} → ${printNumber(in10Min.ssl, 0)} transactions: ${printNumber(changeOf(in10Min), 1)} %`,
    figure: { kind: 'comparison', of: 'change', metric: 'transactions_per_10_min' },
    rule: { from: changeOf(in10Min) - 1, to: changeOf(in10Min) + 1 },
  },
  {
    ...ofStudy,
    ...{ id: 'wong-per-second', unit: '%' },
    said: `SSL costs ${printNumber(-changeOf(perS), 1)} % of the transactions per second`,
    printed: `${perS.baseline} → ${perS.ssl} transactions/s: ${printNumber(changeOf(perS), 1)} %`,
    figure: { kind: 'comparison', of: 'change', metric: 'throughput' },
    rule: { from: 100 * (perSecond.from - 1), to: 100 * (perSecond.to - 1) },
  },
  {
    ...ofStudy,
    ...{ id: 'wong-execution', unit: 'ms' },
    said: 'With SSL, the application still takes less than 500 ms',
    printed: `below ${executionMs.below} ms on both sides`,
    figure: { kind: 'comparison', of: 'value', metric: 'execution_time', divisor: 1000 },
    rule: { to: executionMs.below },
  },
  {
    ...ofStudy,
    ...{ id: 'wong-cpu', unit: 'times' },
    said: 'The web server’s CPU goes from 6 to 30 %: five times as much',
    printed: `${cpu.baseline} → ${cpu.ssl} %: ${cpu.printed}`,
    figure: { kind: 'comparison', of: 'times', metric: 'cpu_utilization' },
    rule: roundedQuotient(cpu, 0.5),
    note: 'At the same arrival rate on both sides. Percentage points depend on that rate, so the ratio is compared.',
  },
  {
    ...ofStudy,
    ...{ id: 'wong-memory', unit: 'MB' },
    said: 'In ten minutes, the web server’s memory grows by 15 MB more',
    printed: `${memory.baseline} → ${memory.ssl} MB: ${memory.printed}`,
    figure: { kind: 'comparison', of: 'difference', metric: 'memory_growth', divisor: 1e6 },
    rule: null,
    note: 'He measured for ten minutes. A launch here takes seconds.',
  },
  {
    ...ofStudy,
    ...{ id: 'wong-disk', unit: 'bytes/s' },
    said: 'The web server’s disk traffic grows by 3,002 bytes/s',
    printed: `${printNumber(disk.baseline, 0)} → ${printNumber(disk.ssl, 0)} bytes/s: ${disk.printed}`,
    figure: { kind: 'comparison', of: 'difference', metric: 'disk_bytes_per_s' },
    rule: { from: 2500, to: 3500 },
  },
  {
    ...ofStudy,
    ...{ id: 'wong-network-row', unit: 'times' },
    said: 'The network row of the table',
    printed: '<500 ms on both sides',
    figure: { kind: 'comparison', of: 'times', metric: 'network_bytes_per_s' },
    rule: null,
    note: 'A misprint: the source repeats its row of execution times.',
  },
  {
    ...ofStudy,
    ...{ id: 'wong-network', unit: 'times', printed: null },
    said: 'Network use rises, according to the text next to the table',
    figure: { kind: 'comparison', of: 'times', metric: 'network_bytes_per_s' },
    rule: { from: 1 },
    note: 'Bytes on the sockets at the same arrival rate, HTTPS ÷ HTTP.',
  },
  {
    ...ofStudy,
    ...{ id: 'wong-cache', unit: 'times', printed: null },
    said: 'Browsers do not cache over SSL what they cache over HTTP, such as .jpg and .js',
    figure: { kind: 'comparison', of: 'cache hits' },
    rule: { to: 0.05 },
    note: 'On a second visit, what the cache answered over HTTPS ÷ over HTTP.',
  },
  {
    ...{ id: 'wong-cache-slow', study: 'wong-2003', unit: '%', printed: null, by: ['visits'] },
    said: 'Without a cache, pages load more slowly',
    figure: { kind: 'visits', of: 'second load' },
    rule: { from: 5 },
    note: 'Load time of a second visit, with the cache of the first.',
  },
];
