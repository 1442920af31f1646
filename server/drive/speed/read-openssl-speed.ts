import type { SpeedOperation } from '../../../shared/kinds/speed/speed.ts';

/** One result line of `openssl speed -mr`: so many operations in so much of its own time, in ticks of 10 ms. */
export type OpensslResult = { operation: SpeedOperation; calls: number; ownS: number };

/**
 * Results are told apart by a number after `+R`, which no manual lists. The plain `+R` is of a digest or a cipher.
 * Source: OpenSSL, apps/speed.c; up to 14 from version 3.0, from 15 on from version 3.2.
 */
const operationOf: Record<string, SpeedOperation> = {
  ...numbered('sign', [1, 5, 8, 19]),
  ...numbered('verify', [2, 6, 9, 20]),
  ...numbered('agree', [7, 12]),
  ...numbered('generate', [15]),
  ...numbered('encapsulate', [16]),
  ...numbered('decapsulate', [17]),
};

function numbered(operation: SpeedOperation, numbers: number[]): Record<string, SpeedOperation> {
  return Object.fromEntries(numbers.map((number) => [`${number}`, operation]));
}

/** Null for any other line, and for a result of nothing. */
export function readOpensslResult(line: string, bulk: SpeedOperation): OpensslResult | null {
  const match = /^\+R(\d*):(\d+):(?:.*:)?(\d+(?:\.\d+)?)$/.exec(line.trim());
  if (match === null) return null;
  const [, number = '', calls, seconds] = match;
  const operation = number === '' ? bulk : operationOf[number];
  if (operation === undefined || Number(calls) === 0) return null;
  return { operation, calls: Number(calls), ownS: Number(seconds) };
}

/** It begins to measure now, until its alarm. */
export function isOpensslStart(line: string): boolean {
  return /^\+DT/.test(line);
}

/** What the program says against an algorithm, without its name, thread and source file. */
export function opensslComplaint(lines: readonly string[]): string | null {
  const line = lines.find((each) => each !== '' && !each.startsWith('+'));
  if (line === undefined) return null;
  const [, reason] = /:error:[^:]*:[^:]*:[^:]*:([^:]*):/.exec(line) ?? [];
  return reason ?? line.replace(/^speed: /, '');
}
