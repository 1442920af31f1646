/** Protects the mark of a noisy run: each cause is named, and a quiet run has none. */
import { describe, expect, test } from 'vitest';
import { sampleRun } from '../../../server/testing/sample-run.ts';
import { qualityOf } from './quality.ts';

const quiet = { stealRatio: 0.01, foreignRatio: 0.05, aside: false };
type Window = { [Key in keyof typeof quiet]: (typeof quiet)[Key] | null } & { aside: boolean };

function judged(windows: Window[], codes: string[] = []) {
  const { metrics, launches, plan } = sampleRun();
  const blocks = [{ reasons: codes.map((code) => ({ code })), windows }];
  const planned = { ...plan, launches: { ...plan.launches, minimum: launches.length } };
  return {
    blocks,
    metrics: metrics.map(({ precision: _, ...row }) => row),
    launches,
    plan: planned,
    state: 'finished' as const,
  };
}

describe('a run', () => {
  test('is clean where little else ran, or where that is not known', () => {
    expect(qualityOf(judged([quiet, { ...quiet, foreignRatio: 0.3 }]))).toEqual({
      quality: 'clean',
      reasons: [],
    });
    expect(qualityOf(judged([{ stealRatio: null, foreignRatio: null, aside: false }])).quality).toBe('clean');
  });

  test.each([
    [{ stealRatio: 0.3 }, 'Other virtual machines took 30 % of the CPU.'],
    [{ foreignRatio: 0.76 }, 'Other programs took 76 % of the CPU.'],
    [{ aside: true }, '100 % of the time was disturbed and is discarded.'],
  ])('is noisy with %j', (change, reason) => {
    expect(qualityOf(judged([{ ...quiet, ...change }]))).toEqual({ quality: 'noisy', reasons: [reason] });
  });

  test('is noisy where something new began', () => {
    const begun = [{ name: 'backup', share: 0.12 }];
    const loud = judged([{ ...quiet, foreignRatio: 0.41 }]);
    expect(
      qualityOf({
        ...loud,
        loudest: [
          { name: 'node', share: 0.3 },
          { name: 'make', share: 0.11 },
        ],
      }).reasons,
    ).toEqual(['Other programs took 41 % of the CPU: node 30 %, make 11 %.']);
    expect(qualityOf({ ...judged([quiet]), begun })).toEqual({
      quality: 'noisy',
      reasons: ['backup began during the run and used 12 % as much CPU as the server.'],
    });
  });

  test('is noisy where blocks or launches were lost, or an interval had to be widened', () => {
    const run = judged([quiet], ['late']);
    expect(qualityOf(run).reasons).toEqual([
      '1 of 1 parts of the run is discarded, 1 because requests were sent late.',
    ]);
    const short = { ...judged([quiet]), plan: { ...run.plan, launches: { minimum: 99, maximum: 99 } } };
    expect(qualityOf(short).reasons[0]).toMatch(/of 99 starts were measured\.$/);
    const precision = { widenings: [{ name: 'drift' as const, by: 0.03 }], isNoisierThanPast: true };
    const launch = { launch: 0, ratio: { center: 1.2, lo: 1.1, hi: 1.3 }, twinRatio: null };
    const reasons = (launches: (typeof launch)[]) => {
      const metrics = judged([quiet]).metrics.map((row) => ({
        ...{ ...row, launches },
        precision: precision as never,
      }));
      return qualityOf({ ...judged([quiet]), metrics }).reasons;
    };
    expect(reasons([launch, { ...launch, launch: 1 }])).toEqual([
      'The server got slower or faster during the run. The intervals allow for it.',
      'The starts of the server differed more than in earlier runs.',
    ]);
    expect(reasons([launch])).toHaveLength(1);
  });
});
