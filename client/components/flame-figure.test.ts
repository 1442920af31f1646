/** Protects the flame graph of an explanation: widths in µs a request, differences, and what functions take themselves. */
import { expect, test } from 'vitest';
import { flameTree, ownCosts } from './flame-figure.tsx';

const document = {
  stacks: {
    baseline: [{ stack: '_start;main;write', samples: 10 }],
    comparison: [
      { stack: '_start;main;SSL_write;EVP_EncryptUpdate', samples: 15 },
      { stack: '_start;main;SSL_write', samples: 5 },
      { stack: '_start;main;write', samples: 20 },
    ],
  },
  samples: { baseline: 10, comparison: 40 },
  cpuUs: {
    baseline: { center: 10, lo: 9, hi: 11 },
    comparison: { center: 20, lo: 19, hi: 21 },
  },
};

test('frames are as wide as the side, and know what the comparison has more', () => {
  expect(flameTree(document, 'comparison')).toEqual({
    ...{ name: 'main', value: 20, delta: 10 },
    children: [
      { name: 'write', value: 10, delta: 0, children: [] },
      {
        ...{ name: 'SSL_write', value: 10, delta: 10 },
        children: [{ name: 'EVP_EncryptUpdate', value: 7.5, delta: 7.5, children: [] }],
      },
    ],
  });
  expect(flameTree(document, 'baseline')).toEqual({ name: 'write', value: 10, delta: 0, children: [] });
});

test('functions are listed by what they take themselves', () => {
  expect(ownCosts(document).slice(0, 3)).toEqual([
    { name: 'write', us: { baseline: 10, comparison: 10 } },
    { name: 'EVP_EncryptUpdate', us: { baseline: 0, comparison: 7.5 } },
    { name: 'SSL_write', us: { baseline: 0, comparison: 2.5 } },
  ]);
});
