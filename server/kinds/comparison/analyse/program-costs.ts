import { type Contrast, plainOf } from '../../../../shared/base/arms.ts';
import type { Arm } from '../../../../shared/base/transport.ts';
import type { Block, Window } from '../../../../shared/kinds/comparison/block.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import { metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { Program, ProgramCost } from '../../../../shared/kinds/comparison/program.ts';
import { meanOf, sumOf } from '../../../method/statistics/mean.ts';
import { boundsOf, precisionOf } from '../../../method/statistics/precision.ts';
import { fewestSamples } from '../../../method/statistics/random-effects.ts';
import { question } from '../plan/question.ts';
import { soundBlocksOf } from './metric-blocks.ts';

const metric = metricOf('cpu_at_load');

/**
 * CPU of each program per transaction at load, and the difference between the sides with its own interval, from the same samples as the
 * metric. These rows are exploratory: no word claims a difference. Null where one program works alone, or nothing was measured.
 * @param standing the target was running already
 */
export function programCosts(
  programs: readonly Program[],
  blocks: readonly Block[],
  standing: boolean,
  contrast: Contrast<Arm> = question,
): ProgramCost[] | null {
  const all = soundBlocksOf(metric, blocks).flatMap(({ launch, windows }) =>
    windows.flatMap((window) => (isRead(window, programs.length) ? [{ launch, window }] : [])),
  );
  const calm = all.filter(({ window }) => !window.aside);
  const samples = calm.length >= fewestSamples ? calm : all;
  if (samples.length === 0) return null;
  return programs.map((program, place) => {
    const estimate = (costOf: (window: Window) => number): Estimate => {
      const units = samples.map(({ launch, window }) => ({ launch, value: costOf(window) }));
      const precision = precisionOf(units, { standing, prior: null, betweenRuns: null });
      const center = meanOf(units.map(({ value }) => value));
      return precision === null ? { center, lo: center, hi: center } : boundsOf(precision);
    };
    const [of, plain] = [[contrast.of], plainOf(contrast)];
    return {
      ...program,
      baseline: estimate((window) => costIn(window, plain, place)),
      comparison: estimate((window) => costIn(window, of, place)),
      delta: estimate((window) => costIn(window, of, place) - costIn(window, plain, place)),
    };
  });
}

function isRead({ arms }: Window, programs: number): boolean {
  return Object.values(arms).every(
    ({ programsUs, transactions }) => programsUs?.length === programs && transactions > 0,
  );
}

function costIn({ arms }: Window, names: readonly Arm[], place: number): number {
  const usedUs = sumOf(names.map((arm) => arms[arm].programsUs?.[place] ?? 0));
  return usedUs / sumOf(names.map((arm) => arms[arm].transactions));
}
