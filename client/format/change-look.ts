import type { MetricChange } from '../../shared/kinds/comparison/result-changes.ts';
import { type ChangeWord, hasGrown, wordOfChange } from '../../shared/words/change-words.ts';
import type { Look } from './outcome.ts';

/** The arrow says where the figure went, the word what that means. */
export function lookOfChange(row: MetricChange): Look {
  return lookOfWord(wordOfChange(row), hasGrown(row));
}

export function lookOfWord(word: ChangeWord, grown: boolean): Look {
  return { word, icon: grown ? 'up' : 'down', ...looks[word] };
}

const looks: Record<ChangeWord, Pick<Look, 'tone'> & Partial<Look>> = {
  Better: { tone: 'good' },
  Worse: { tone: 'note' },
  'No change': { tone: 'quiet', icon: 'equal' },
  Inconclusive: { tone: 'warn', icon: 'question' },
  'Not comparable': { tone: 'quiet', icon: 'barred' },
};
