import type { KeyRow, SpeedTable } from './tables.ts';

/** What SSLeay's own `speed` printed. */
export const ssleay1997Speed: SpeedTable = {
  sizes: [8, 64, 256, 1024, 8192],
  rows: [
    { algorithm: 'md2', kBPerS: [131.02, 368.41, 500.57, 549.21, 566.09] },
    { algorithm: 'mdc2', kBPerS: [535.6, 589.1, 595.88, 595.97, 594.54] },
    { algorithm: 'md5', kBPerS: [1801.53, 9674.77, 17484.03, 21849.43, 23592.96] },
    { algorithm: 'sha', kBPerS: [1261.63, 5533.25, 9285.63, 11187.88, 11913.9] },
    { algorithm: 'sha1', kBPerS: [1103.13, 4782.53, 7933.78, 9472.34, 10070.7] },
    { algorithm: 'rc4', kBPerS: [10722.53, 14443.93, 15215.79, 15299.24, 15219.59] },
    { algorithm: 'des cbc', kBPerS: [3286.57, 3827.73, 3913.39, 3931.82, 3926.7] },
    { algorithm: 'des ede3', kBPerS: [1443.5, 1549.08, 1561.17, 1566.38, 1564.67] },
    { algorithm: 'idea cbc', kBPerS: [2203.64, 2508.16, 2538.33, 2543.62, 2547.71] },
    { algorithm: 'rc2 cbc', kBPerS: [1430.94, 1511.59, 1524.82, 1527.13, 1523.33] },
    { algorithm: 'blowfish cbc', kBPerS: [4716.07, 5965.82, 6190.17, 6243.67, 6234.11] },
  ],
};

/** The source gives seconds; the rates follow from them. */
export const ssleay1997Keys: readonly KeyRow[] = [
  { key: 'RSA', bits: 512, signS: 0.01, verifyS: 0.0011 },
  { key: 'RSA', bits: 1024, signS: 0.0451, verifyS: 0.0012 },
  { key: 'RSA', bits: 2048, signS: 0.2605, verifyS: 0.0086 },
  { key: 'RSA', bits: 4096, signS: 1.6883, verifyS: 0.0302 },
];
