import type { PresetCard } from '../../../../shared/api/server-endpoints.ts';
import type { Preset } from '../../../../shared/kinds/comparison/load-choice.ts';
import type { ExpectedWidth } from '../../../../shared/measurement/machine.ts';
import { median } from '../../../method/statistics/quantile.ts';

/** Older runs say less about this machine as it is now. */
const mostRuns = 9;

/**
 * The half-width to expect of each preset: the median of its newest runs, or where there are none, half of what the preset
 * can detect on a quiet machine with two cores.
 * @param known newest first
 */
export function expectWidths(
  known: readonly { preset: Preset; halfWidth: number }[],
  presets: readonly Pick<PresetCard, 'preset' | 'detectable'>[],
): ExpectedWidth[] {
  return presets.map(({ preset, detectable }) => {
    const widths = known.filter((each) => each.preset === preset).slice(0, mostRuns);
    const halfWidth = widths.length === 0 ? detectable / 2 : median(widths.map((each) => each.halfWidth));
    return { preset, halfWidth, runs: widths.length };
  });
}
