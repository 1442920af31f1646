import { capitalized } from '../../shared/base/capitalized.ts';
import type { ClaimWord } from '../../shared/studies/claim.ts';
import type { IconName } from '../format/icon-paths.ts';
import type { Tone } from '../format/outcome.ts';
import { Badge } from './badge.tsx';

const looks: Record<ClaimWord, { tone: Tone; icon?: IconName }> = {
  holds: { tone: 'good', icon: 'check' },
  'no longer': { tone: 'warn', icon: 'cross' },
  'not decided': { tone: 'quiet', icon: 'question' },
  'not comparable': { tone: 'quiet' },
  'not measured': { tone: 'quiet' },
};

export function ClaimBadge({ word }: { word: ClaimWord }) {
  return <Badge {...looks[word]}>{capitalized(word)}</Badge>;
}
