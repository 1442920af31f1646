/** What the old tables have in common, so that today's can stand beside any of them. */

/** One row for an algorithm, in thousands of bytes a second at each of the sizes. */
export type SpeedTable = {
  /** Bytes of one block. */
  sizes: readonly number[];
  rows: readonly { algorithm: string; kBPerS: readonly number[] }[];
};

/** Seconds of one operation, and operations a second where the source prints them as well. */
export type KeyRow = {
  key: 'RSA' | 'DSA';
  bits: number;
  signS: number;
  verifyS: number;
  signsPerS?: number;
  verifiesPerS?: number;
};
