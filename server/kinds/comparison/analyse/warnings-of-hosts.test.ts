/** Protects the doubts about figures of several hosts: each is said where it holds, and nowhere else. */
import { expect, test } from 'vitest';
import type { HostShare, HostsUsed } from '../../../../shared/measurement/generator-host.ts';
import { warningsOfHosts } from './warnings-of-hosts.ts';

function host(name: string, change: Partial<HostShare> = {}): HostShare {
  return {
    ...{ name, address: '10.1.2.3', processes: 1, requests: 1000, cpuUs: 1e6, busiestShare: 0.5 },
    ...{
      lateness: { medianUs: 10, longestUs: 900 },
      roundTripUs: 400,
      withinUs: 150,
      limited: false,
      ...change,
    },
  };
}

const good: HostsUsed = { hosts: [host('a'), host('b')], bursts: 90, idleShare: 0.05, losses: 0 };

test.each([
  [good, []],
  [{ ...good, hosts: [host('a'), host('b', { limited: true })] }, [/was the limit on b\./]],
  [{ ...good, hosts: [host('a'), host('b', { roundTripUs: 40_000 })] }, [/differ 100 times/]],
  [{ ...good, idleShare: 0.31 }, [/31 % of the time/]],
  [{ ...good, losses: 2 }, [/was lost 2 times/]],
])('%o', (used, words) => {
  expect(warningsOfHosts(used)).toEqual(words.map((each) => expect.stringMatching(each)));
});
