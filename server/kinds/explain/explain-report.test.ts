/** Protects the report of instructions: differences beside both sides, and what a count leaves out. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Explained, explainDocumentSchema } from '../../../shared/kinds/explain/explain.ts';
import { printMarkdown } from '../../base/text/report.ts';
import { explainPhases, printFolded, printSpeedscope, reportInstructions } from './explain-report.ts';

const golden = explainDocumentSchema.parse(
  JSON.parse(readFileSync(new URL('../../life/database/golden/explain-v1.json', import.meta.url), 'utf8')),
);

test('instructions are printed by group and by function, with their differences', () => {
  const printed = printMarkdown(
    reportInstructions(golden, {
      ...{ valgrind: '3.19.0', requests: 128 },
      parts: { baseline: [1, 1, 1], comparison: [1, 1, 1] },
      perRequest: {
        baseline: { center: 14_579, lo: 14_576, hi: 14_580 },
        comparison: { center: 96_688, lo: 96_688, hi: 96_691 },
      },
      delta: { center: 82_109, lo: 82_105, hi: 82_115 },
      groups: [
        { group: 'encryption', baseline: 0, comparison: 83_000 },
        { group: 'application', baseline: 14_579, comparison: 13_688 },
      ],
      functions: [
        { name: 'EVP_EncryptUpdate', library: 'libcrypto.so.3', baseline: 0, comparison: 82_000 },
        { name: 'ngx_vslprintf', library: 'nginx', baseline: 900, comparison: 9 },
      ],
    }),
  );
  expect(printed).toContain(
    'HTTPS costs 82,109 more instructions per request\n\n+563 % compared with HTTP (14,579 → 96,688)',
  );
  expect(printed).toMatch(/TLS record encryption \| +0 \| +83,000 \| +\+83,000/);
  expect(printed).toMatch(/HTTP and application \| +14,579 \| +13,688 \| +−891/);
  expect(printed).toMatch(/All \| +14,579 \| +96,688 \| +\+82,109/);
  expect(printed).toMatch(/ngx\\?_vslprintf \| nginx \| +900 \| +9 \| +−891/);
  expect(printed).toContain('in user space');
  expect(printed).toContain('AVX-512');
});

/** Protects the stacks that other tools open: folded ones with both sides, and a profile of speedscope that adds up. */

const document = {
  ...golden,
  stacks: {
    baseline: [{ stack: '_start;main;tcp_sendmsg_[k]', samples: 10 }],
    comparison: [
      { stack: '_start;main;tcp_sendmsg_[k]', samples: 10 },
      { stack: '_start;main;EVP_EncryptUpdate', samples: 30 },
    ],
  },
  samples: { baseline: 10, comparison: 40 },
  cpuUs: { baseline: { center: 10, lo: 9, hi: 11 }, comparison: { center: 20, lo: 19, hi: 21 } },
};

test('folded stacks have ns a request of the baseline, then of the comparison', () => {
  expect(printFolded(document)).toBe(
    '_start;main;tcp_sendmsg_[k] 10000 5000\n_start;main;EVP_EncryptUpdate 0 15000\n',
  );
});

test('speedscope gets a profile of each side, in µs a request', () => {
  const { shared, profiles } = JSON.parse(printSpeedscope(document));
  expect(shared.frames.map(({ name }: { name: string }) => name)).toEqual([
    ...['_start', 'main', 'tcp_sendmsg_[k]', 'EVP_EncryptUpdate'],
  ]);
  expect(profiles).toEqual([
    {
      ...{ type: 'sampled', name: 'HTTP', unit: 'microseconds', startValue: 0, endValue: 10 },
      ...{ samples: [[0, 1, 2]], weights: [10] },
    },
    {
      ...{ type: 'sampled', name: 'HTTPS', unit: 'microseconds', startValue: 0, endValue: 20 },
      samples: [
        [0, 1, 2],
        [0, 1, 3],
      ],
      weights: [5, 15],
    },
  ]);
});

/** Protects what explain expects to take: measured on two cores beside other work, on 2026-11-27. */

const managed = (server: string) => ({ kind: 'managed', server }) as Explained['target'];
const origins = { kind: 'origins' } as Explained['target'];

test.each([
  ['nginx', managed('nginx'), 54],
  ['the storefront', { kind: 'storefront' } as Explained['target'], 38.5],
  ['a running nginx with Node behind it', origins, 65],
])('three launches of %s take what is expected, within a factor of 1.5', (_, target, tookS) => {
  const expected = secondsOf(3, { target, users: null, load: null }, 2);
  expect(expected / tookS).toBeGreaterThan(1 / 1.5);
  expect(expected / tookS).toBeLessThan(1.5);
});

test('the expected time grows with launches, and with the cores if other programs are searched for', () => {
  const nginx = { target: managed('nginx'), users: 8, load: null };
  expect(secondsOf(6, nginx, 2) - 2).toBeCloseTo(2 * (secondsOf(3, nginx, 2) - 2), 6);
  expect(secondsOf(3, nginx, 8)).toBe(secondsOf(3, nginx, 2));
  expect(secondsOf(3, { ...nginx, users: null }, 2) - secondsOf(3, nginx, 2)).toBeCloseTo(4, 6);
  const running = { ...nginx, target: origins };
  // 999 samples per second, 2 s, 2 ms each.
  expect(secondsOf(3, running, 3) - secondsOf(3, running, 2)).toBeCloseTo(3 * 3.996, 6);
});

function secondsOf(...asked: Parameters<typeof explainPhases>): number {
  return explainPhases(...asked).reduce((sum, { seconds }) => sum + seconds, 0);
}
