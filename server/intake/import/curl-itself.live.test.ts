/** Protects the import of curl commands: a run sends the same requests as the curl of this machine. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  commandLines,
  installedOptions,
  installedVersion,
  openCurlComparison,
  outcomeOf,
} from '../../testing/curl-comparison.ts';
import { patienceMs } from '../../testing/patience.ts';
import { curlOptions, knownVersion } from './curl-options.ts';

let comparison: Awaited<ReturnType<typeof openCurlComparison>>;
beforeAll(async () => {
  comparison = await openCurlComparison();
});
afterAll(() => comparison.close());

describe.runIf(installedVersion !== '')('the curl of this machine', () => {
  test('Every option of the curl of this machine is known with its letter and its value', () => {
    expect(installedOptions.length).toBeGreaterThan(200);
    const known = new Map(
      curlOptions.map(({ name, letter, takesValue }) => [name, { name, letter, takesValue }]),
    );
    const differing = installedOptions.filter((option) => !isSame(known.get(option.name), option));
    // A newer curl has options that are not in the table yet.
    if (numberOf(installedVersion) <= numberOf(knownVersion)) expect(differing).toEqual([]);
    else expect(differing.length).toBeLessThan(10);
  });

  test(
    'Collected commands are sent as curl sends them',
    async () => {
      expect(commandLines.collected.length).toBeGreaterThan(110);
      const compared = await comparison.compare(commandLines.collected);
      expect(compared.filter((each) => outcomeOf(each) !== 'same')).toEqual([]);
    },
    2 * patienceMs,
  );

  test.each([
    ['Traps of the shell and of curl', commandLines.traps, 15],
    ['Generated commands', commandLines.generated, 80],
  ])(
    '%s are sent as curl sends them, or left out by name',
    async (_, lines, least) => {
      const compared = await comparison.compare(lines);
      expect(compared.filter((each) => outcomeOf(each) === 'wrong')).toEqual([]);
      expect(compared.filter(({ ours }) => ours.length > 0).length).toBeGreaterThanOrEqual(least);
    },
    2 * patienceMs,
  );
});

/** A version as a number, such as 8017 for 8.17.0. */
function numberOf(text: string): number {
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(text) ?? [];
  return Number(major) * 1000 + Number(minor);
}

function isSame(known: object | undefined, option: object): boolean {
  return JSON.stringify(known) === JSON.stringify(option);
}
