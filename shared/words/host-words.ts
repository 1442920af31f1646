import { printNumber } from '../base/quantity.ts';
import type { GeneratorHost, HostsUsed } from '../measurement/generator-host.ts';

/** `round trip 0.3 ms, clock +12 ms, bursts within 0.1 ms`. */
export function clockInWords(clock: GeneratorHost['clock']): string {
  if (clock === null) return 'clock not known yet';
  const { offsetMs, withinUs, roundTripUs } = clock;
  const sign = offsetMs < 0 ? '−' : '+';
  return `round trip ${ms(roundTripUs)}, clock ${sign}${printNumber(Math.abs(offsetMs), 1)} ms, bursts within ${ms(withinUs)}`;
}

/** One line of a whole measurement. */
export function hostsInWords({ hosts, idleShare, losses }: HostsUsed): string {
  const names = hosts.map(({ name }) => name).join(', ');
  const lost = losses === 0 ? '' : `; lost and back ${losses === 1 ? 'once' : `${losses} times`}`;
  return `${hosts.length} ${hosts.length === 1 ? 'host' : 'hosts'} (${names}), idle between bursts ${printNumber(100 * idleShare, 1)} % of the time${lost}`;
}

/** `load from 3 hosts`. */
export function hostCountInWords({ hosts }: Pick<HostsUsed, 'hosts'>): string {
  return `load from ${hosts.length === 1 ? '1 host' : `${hosts.length} hosts`}`;
}

/** Those that had no more to give. */
export function saturatedIn({ hosts }: HostsUsed): string[] {
  return hosts.filter(({ limited }) => limited).map(({ name }) => name);
}

function ms(us: number): string {
  return `${printNumber(us / 1000, us < 10_000 ? 2 : 0)} ms`;
}
