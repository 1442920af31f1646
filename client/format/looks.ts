import type { VerdictOutcome } from '../../shared/kinds/comparison/comparison.ts';
import type { MeasurementState } from '../../shared/measurement/measurement.ts';
import { isWorse, outcomeInWords, usualTolerance } from '../../shared/words/change-words.ts';

/** Words, tone and icon of an outcome or a state. The icon repeats the word; color only underlines both. */
export type Look = { word: string; tone: Tone; icon: IconName };
export type Tone = 'good' | 'warn' | 'bad' | 'note' | 'less' | 'quiet';

/**
 * @param shift above zero when the figure itself grew
 * @param tolerance what is too little to matter, as a share
 */
export function lookOfOutcome(
  outcome: VerdictOutcome,
  shift: number,
  better: 'higher' | 'lower',
  tolerance = usualTolerance,
): Look {
  const word = outcomeInWords(outcome, shift, better, tolerance);
  if (outcome !== 'overhead') return { word, ...looksOfOutcomes[outcome] };
  return { word, ...(isWorse(shift, better) ? costsMore : costsLess) };
}

export const costsMore = { tone: 'note', icon: 'up' } as const;
export const costsLess = { tone: 'less', icon: 'down' } as const;

const looksOfOutcomes: Record<Exclude<VerdictOutcome, 'overhead'>, Omit<Look, 'word'>> = {
  no_overhead: { tone: 'good', icon: 'equal' },
  inconclusive: { tone: 'warn', icon: 'question' },
  not_tested: { tone: 'quiet', icon: 'minus' },
  refused: { tone: 'quiet', icon: 'barred' },
};

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

/** Drawn in a square of 16 units. */
export const iconPaths = {
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  exclamation: 'M8 2.5v7M8 13v.4',
  info: 'M8 7v6M8 3v.4',
  question: 'M5.5 5.6a2.6 2.6 0 1 1 3.8 2.3c-.9.5-1.3 1-1.3 1.9M8 13v.3',
  up: 'M8 13V3M3.8 7.2 8 3l4.2 4.2',
  down: 'M8 3v10M3.8 8.8 8 13l4.2-4.2',
  equal: 'M3.5 6h9M3.5 10h9',
  barred: 'M3.8 3.8l8.4 8.4M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z',
  arrow: 'M3 8h10M9 4l4 4-4 4',
  minus: 'M4 8h8',
  pencil: 'M3 13l.8-3.2L10.6 3a1.7 1.7 0 0 1 2.4 2.4L6.2 12.2 3 13Z',
  link: 'M6.5 9.5 9.5 6.5M7.5 4.5 9 3a2.8 2.8 0 0 1 4 4l-1.5 1.5M8.5 11.5 7 13a2.8 2.8 0 0 1-4-4l1.5-1.5',
} as const;

export type IconName = keyof typeof iconPaths;
