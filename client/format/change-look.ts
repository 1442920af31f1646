import type { MetricChange } from '../../shared/kinds/comparison/result-changes.ts';
import { type ChangeWord, hasGrown, wordOfChange } from '../../shared/words/change-words.ts';
import type { Look } from './outcome.ts';

/** The arrow says where the figure went, the word what that means. */
export function lookOfChange(row: MetricChange): Look {
  return lookOfWord(wordOfChange(row), hasGrown(row));
}

export function lookOfWord(word: ChangeWord, grown: boolean): Look {
  const icon = grown ? 'up' : 'down';
  switch (word) {
    case 'Better':
      return { word, tone: 'good', icon };
    case 'Worse':
      return { word, tone: 'note', icon };
    case 'No change':
      return { word, tone: 'quiet', icon: 'equal' };
    case 'Inconclusive':
      return { word, tone: 'warn', icon: 'question' };
    case 'Not comparable':
      return { word, tone: 'quiet', icon: 'barred' };
  }
}
