import type { KeyRow, SpeedTable } from './tables.ts';

/** What `openssl speed` printed, as Apache Security reports it. */
export const openssl2005Speed: SpeedTable = {
  sizes: [16, 64, 256, 1024, 8192],
  rows: [
    { algorithm: 'md2', kBPerS: [1841.78, 3965.8, 5464.83, 5947.39, 6223.19] },
    { algorithm: 'md4', kBPerS: [17326.58, 55490.11, 138188.97, 211403.09, 263528.45] },
    { algorithm: 'md5', kBPerS: [12795.17, 41788.59, 117776.81, 234883.07, 332759.04] },
    { algorithm: 'hmac(md5)', kBPerS: [8847.31, 32256.23, 101450.5, 217330.69, 320913.41] },
    { algorithm: 'sha1', kBPerS: [9529.72, 29872.66, 75258.54, 117943.64, 141710.68] },
    { algorithm: 'rmd160', kBPerS: [10551.1, 31148.82, 62616.23, 116250.38, 101944.89] },
    { algorithm: 'rc4', kBPerS: [90858.18, 102016.45, 104585.22, 105199.27, 105250.82] },
    { algorithm: 'des cbc', kBPerS: [45279.25, 47156.76, 47537.41, 47827.29, 47950.51] },
    { algorithm: 'des ede3', kBPerS: [17932.17, 18639.27, 18866.43, 18930.35, 18945.37] },
    { algorithm: 'rc2 cbc', kBPerS: [11813.34, 12087.81, 12000.34, 12156.25, 12113.24] },
    { algorithm: 'blowfish cbc', kBPerS: [80290.79, 83618.41, 84170.92, 84815.87, 84093.61] },
    { algorithm: 'cast cbc', kBPerS: [30767.63, 32477.4, 32840.53, 32925.35, 32863.57] },
    { algorithm: 'aes-128 cbc', kBPerS: [51152.56, 52996.52, 54039.55, 54286.68, 53947.05] },
    { algorithm: 'aes-192 cbc', kBPerS: [45540.74, 46613.01, 47561.56, 47818.41, 47396.18] },
    { algorithm: 'aes-256 cbc', kBPerS: [40427.22, 41204.46, 42097.83, 42277.21, 42125.99] },
  ],
};

export const openssl2005Keys: readonly KeyRow[] = [
  { key: 'RSA', bits: 512, signS: 0.0008, verifyS: 0.0001, signsPerS: 1187.4, verifiesPerS: 13406.5 },
  { key: 'RSA', bits: 1024, signS: 0.0041, verifyS: 0.0002, signsPerS: 242, verifiesPerS: 4584.5 },
  { key: 'RSA', bits: 2048, signS: 0.025, verifyS: 0.0007, signsPerS: 40, verifiesPerS: 1362.2 },
  { key: 'RSA', bits: 4096, signS: 0.1705, verifyS: 0.0026, signsPerS: 5.9, verifiesPerS: 379 },
  { key: 'DSA', bits: 512, signS: 0.0007, verifyS: 0.0009, signsPerS: 1372.6, verifiesPerS: 1134 },
  { key: 'DSA', bits: 1024, signS: 0.0021, verifyS: 0.0026, signsPerS: 473.9, verifiesPerS: 389.9 },
  { key: 'DSA', bits: 2048, signS: 0.0071, verifyS: 0.0087, signsPerS: 141.4, verifiesPerS: 114.4 },
];
