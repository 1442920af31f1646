/** Protects a stopped opener: what still waited for the rate is never opened, and takes no place from what comes next. */
import { expect, test } from 'vitest';
import { ConnectionOpener } from './lane-count.ts';

test('connections that were not opened when it stopped leave their places free', () => {
  const waits = [0, 60_000, 60_000];
  const opener = new ConnectionOpener({ take: () => waits.shift() ?? 0 });
  const begun: string[] = [];
  const opening = (name: string) => ({ connect: () => void begun.push(name) });
  opener.open(['a', 'b', 'c'].map(opening));
  expect(begun).toEqual(['c']);
  opener.stop();
  expect(opener.idle).toBe(false);
  opener.opened();
  expect(opener.idle).toBe(true);
  opener.open([opening('d')]);
  expect(begun).toEqual(['c', 'd']);
});
