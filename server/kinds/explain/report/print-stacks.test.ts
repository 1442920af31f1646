/** Protects the stacks that other tools open: folded ones with both sides, and a profile of speedscope that adds up. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explainDocumentSchema } from '../../../../shared/kinds/explain/explain.ts';
import { printFolded, printSpeedscope } from './print-stacks.ts';

const golden = explainDocumentSchema.parse(
  JSON.parse(readFileSync(new URL('../../../life/database/golden/explain-v1.json', import.meta.url), 'utf8')),
);
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
