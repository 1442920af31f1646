import { capitalized } from '../../shared/base/cut.ts';
import type { VerdictOutcome } from '../../shared/kinds/comparison/comparison.ts';
import type { MeasurementState } from '../../shared/measurement/measurement.ts';
import { withinWords } from '../../shared/words/outcome-word.ts';
import type { IconName } from './icon-paths.ts';

/** Words, tone and icon of an outcome or a state. The icon repeats the word; colour only underlines both. */
export type Look = { word: string; tone: Tone; icon: IconName };
export type Tone = 'good' | 'warn' | 'bad' | 'note' | 'quiet';

/**
 * @param shift above zero when the figure itself grew
 * @param tolerance what is too little to matter, as a share; null where it is not known
 */
export function lookOfOutcome(
  outcome: VerdictOutcome,
  shift: number,
  better: 'higher' | 'lower',
  tolerance: number | null = null,
): Look {
  if (outcome === 'no_overhead') return { word: withinWord(tolerance), tone: 'good', icon: 'equal' };
  if (outcome !== 'overhead') return looksWithoutFinding[outcome];
  const worse = better === 'lower' ? shift > 0 : shift < 0;
  return { word: worse ? 'Overhead' : 'Negative overhead', tone: 'note', icon: shift > 0 ? 'up' : 'down' };
}

const looksWithoutFinding: Record<Exclude<VerdictOutcome, 'overhead' | 'no_overhead'>, Look> = {
  inconclusive: { word: 'Inconclusive', tone: 'warn', icon: 'question' },
  not_tested: { word: 'Not tested', tone: 'quiet', icon: 'minus' },
  refused: { word: 'Refused', tone: 'quiet', icon: 'barred' },
};

/** `Within 5 %`. */
export function withinWord(tolerance: number | null): string {
  return capitalized(tolerance === null ? 'within tolerance' : withinWords(tolerance));
}

export function lookOfState(state: MeasurementState): Look {
  return looksOfStates[state];
}

const looksOfStates: Record<MeasurementState, Look> = {
  queued: { word: 'Waiting', tone: 'quiet', icon: 'minus' },
  running: { word: 'Running', tone: 'quiet', icon: 'arrow' },
  finished: { word: 'Finished', tone: 'good', icon: 'check' },
  incomplete: { word: 'Incomplete', tone: 'warn', icon: 'exclamation' },
  interrupted: { word: 'Interrupted', tone: 'warn', icon: 'exclamation' },
  refused: { word: 'Refused', tone: 'quiet', icon: 'barred' },
  failed: { word: 'Failed', tone: 'bad', icon: 'cross' },
};
