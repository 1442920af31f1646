import type { Claim, ClaimVerdict } from '../../shared/historic/claim.ts';
import { Badge } from './badge.tsx';
import { Facts } from './facts.tsx';
import type { IconName } from './icon.tsx';
import type { Tone } from './notice.tsx';
import { Section } from './section.tsx';

const looks: Record<ClaimVerdict, { word: string; tone: Tone; icon: IconName }> = {
  holds: { word: 'Holds', tone: 'good', icon: 'check' },
  'does not hold': { word: 'Does not hold', tone: 'warn', icon: 'cross' },
  'not decided': { word: 'Not decided', tone: 'quiet', icon: 'question' },
};

/** What a study found, and whether it still holds. */
export function ClaimList({ study, claims }: { study: string; claims: readonly Claim[] }) {
  if (claims.length === 0) return null;
  return (
    <Section id="claims" title={`${study}, today`} card>
      <Facts
        facts={claims.map(({ claim, verdict, today }) => ({
          name: claim,
          value: (
            <>
              <Badge tone={looks[verdict].tone} icon={looks[verdict].icon}>
                {looks[verdict].word}
              </Badge>{' '}
              {today}
            </>
          ),
        }))}
      />
    </Section>
  );
}
