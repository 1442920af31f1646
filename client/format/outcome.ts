import { capitalized } from '../../shared/base/capitalized.ts';
import type { VerdictOutcome } from '../../shared/kinds/comparison/comparison.ts';
import type { MeasurementState } from '../../shared/measurement/measurement.ts';
import { withinWords } from '../../shared/words/outcome-word.ts';

/** Words, tone and icon of an outcome or a state. The icon repeats the word; colour only underlines both. */
export type Look = {
  word: string;
  tone: 'good' | 'warn' | 'bad' | 'note' | 'quiet';
  icon:
    | 'up'
    | 'down'
    | 'equal'
    | 'question'
    | 'barred'
    | 'check'
    | 'minus'
    | 'cross'
    | 'arrow'
    | 'exclamation';
};

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
  switch (outcome) {
    case 'overhead': {
      const worse = better === 'lower' ? shift > 0 : shift < 0;
      const icon = shift > 0 ? 'up' : 'down';
      return worse
        ? { word: 'Overhead', tone: 'note', icon }
        : { word: 'Negative overhead', tone: 'note', icon };
    }
    case 'no_overhead':
      return { word: withinWord(tolerance), tone: 'good', icon: 'equal' };
    case 'inconclusive':
      return { word: 'Inconclusive', tone: 'warn', icon: 'question' };
    case 'not_tested':
      return { word: 'Not tested', tone: 'quiet', icon: 'minus' };
    case 'refused':
      return { word: 'Refused', tone: 'quiet', icon: 'barred' };
  }
}

/** `Within 5 %`. */
export function withinWord(tolerance: number | null): string {
  const words = tolerance === null ? 'within tolerance' : withinWords(tolerance);
  return capitalized(words);
}

export function lookOfState(state: MeasurementState): Look {
  switch (state) {
    case 'queued':
      return { word: 'Waiting', tone: 'quiet', icon: 'minus' };
    case 'running':
      return { word: 'Running', tone: 'quiet', icon: 'arrow' };
    case 'finished':
      return { word: 'Finished', tone: 'good', icon: 'check' };
    case 'incomplete':
      return { word: 'Incomplete', tone: 'warn', icon: 'exclamation' };
    case 'interrupted':
      return { word: 'Interrupted', tone: 'warn', icon: 'exclamation' };
    case 'refused':
      return { word: 'Refused', tone: 'quiet', icon: 'barred' };
    case 'failed':
      return { word: 'Failed', tone: 'bad', icon: 'cross' };
  }
}
