import { capitalized } from '../../shared/base/capitalized.ts';
import type { ClaimWord } from '../../shared/studies/claim.ts';
import { Badge } from './badge.tsx';
import type { IconName } from './icon.tsx';
import type { Tone } from './notice.tsx';

const looks: Record<ClaimWord, { tone: Tone; icon?: IconName }> = {
  holds: { tone: 'good', icon: 'check' },
  'no longer': { tone: 'warn', icon: 'cross' },
  'not decided': { tone: 'quiet', icon: 'question' },
  'not comparable': { tone: 'quiet' },
  'not measured': { tone: 'quiet' },
};

/** Whether what a study said is still so. */
export function ClaimBadge({ word }: { word: ClaimWord }) {
  return <Badge {...looks[word]}>{capitalized(word)}</Badge>;
}
