/** Protects what a result says of each program behind its headline. */
import { expect, test } from 'vitest';
import type { ProgramCost } from '../kinds/comparison/program.ts';
import type { RunDocument } from '../kinds/comparison/run.ts';
import { doubtsOfPrograms, endedInWords, namedByChain, programsInWords } from './program-words.ts';

const sides = { baseline: { transport: 'http' }, comparison: { transport: 'https' } } as RunDocument['sides'];
const side = { center: 500, lo: 490, hi: 510 };
const cost = (name: string, delta: ProgramCost['delta'], change: Partial<ProgramCost> = {}): ProgramCost => ({
  ...{ name, pids: [7], role: 'companion', tie: 'connection', baseline: side, comparison: side },
  delta,
  ...change,
});

test('each program has its own interval, with signs where it may be none', () => {
  const cpuOf = [
    cost('nginx', { center: 25, lo: 24, hi: 26 }, { role: 'target', tie: null }),
    cost('node', { center: -2, lo: -9, hi: 5 }),
    cost('rsyslogd', { center: 3, lo: 2, hi: 4 }, { tie: null }),
  ];
  expect(programsInWords({ cpuOf, sides })).toBe(
    'in nginx +25.0 µs (24.0 to 26.0), in node behind it −2.0 µs (−9.0 to +5.0), in rsyslogd beside it +3.0 µs (2.0 to 4.0)',
  );
});

test('a target that works alone has no such line', () => {
  expect(programsInWords({ sides })).toBeNull();
});

const nothing = { center: 0, lo: 0, hi: 0 };
const target = { role: 'target', tie: null } as const;
const rests = { center: 0.02, lo: 0, hi: 0.05 };

test('sides through different programs are named, by what their requests come to first', () => {
  const nginx = cost('nginx', { center: -1, lo: -2, hi: 0.5 }, { ...target, sides: ['baseline'] });
  const hitch = cost(
    'hitch',
    { center: 21, lo: 20, hi: 22 },
    { ...target, sides: ['comparison'], baseline: rests },
  );
  expect(programsInWords({ cpuOf: [nginx, hitch], sides })).toBe(
    'HTTP goes through nginx alone, HTTPS goes through hitch and nginx; in nginx −1.00 µs (−2.00 to +0.50), in hitch +21.0 µs (20.0 to 22.0)',
  );
  const names = (cpuOf?: ProgramCost[]) => Object.values(namedByChain(sides, cpuOf)).map(({ name }) => name);
  expect(names([nginx, hitch])).toEqual(['nginx alone', 'HTTPS through hitch']);
  expect(names([nginx])).toEqual([undefined, undefined]);
  expect(names()).toEqual([undefined, undefined]);
  const own = { ...sides, comparison: { ...sides.comparison, name: 'new' } };
  expect(namedByChain(own, [nginx, hitch])).toBe(own);
});

test('sides without a program in common have no parts of a difference', () => {
  const nginx = cost('nginx', nothing, { ...target, sides: ['baseline'], comparison: nothing });
  const apache = cost('apache2', nothing, { ...target, sides: ['comparison'], baseline: nothing });
  expect(programsInWords({ cpuOf: [nginx, apache], sides })).toBe(
    'HTTP goes through nginx alone, HTTPS goes through apache2 alone',
  );
});

test('a forwarder and the server behind it are told apart', () => {
  const cpuOf = [
    cost('docker-proxy', { center: 5, lo: 4, hi: 6 }, { ...target, part: 'forwarder' }),
    cost('nginx', { center: 20, lo: 19, hi: 21 }, { part: 'server' }),
  ];
  expect(programsInWords({ cpuOf, sides })).toBe(
    'in docker-proxy, a forwarder, +5.0 µs (4.0 to 6.0), in nginx, the server, +20.0 µs (19.0 to 21.0)',
  );
});

test('late work is on either side alike, and the kernel is not in the line', () => {
  const cpuOf = [
    cost('nginx', { center: 25, lo: 24, hi: 26 }, { role: 'target', tie: null }),
    cost('rsyslogd', { center: 0, lo: -3, hi: 3 }, { tie: null, lateUs: 6, children: 'lost' }),
    cost('kernel', { center: 1, lo: 0, hi: 2 }, { role: 'kernel', tie: null }),
  ];
  expect(programsInWords({ cpuOf, sides })).toBe(
    'in nginx +25.0 µs (24.0 to 26.0), in rsyslogd beside it 500 µs on either side, because it works after the requests (±3 µs)',
  );
  expect(doubtsOfPrograms({ cpuOf })).toEqual([
    expect.stringContaining('The program rsyslogd works after the requests'),
    expect.stringContaining('Some of their CPU is not counted'),
    expect.stringContaining('They are in no sum.'),
  ]);
});

test('a program that ended while it was measured is named', () => {
  const node = cost('node', nothing, { ended: true });
  expect(endedInWords([cost('nginx', nothing, target), node])).toEqual([
    'node, which works for the requests, ended or was started again while it was measured, and what came after it is not counted. Keep it running, and repeat the run.',
  ]);
  expect(endedInWords()).toEqual([]);
});
