import type { ClaimToday } from '../../shared/studies/claims-today.ts';
import { AppLink } from './app-link.tsx';
import { ClaimBadge } from './claim-badge.tsx';
import { Facts } from './facts.tsx';
import { Section } from './section.tsx';

export function ClaimList({ study, claims }: { study: string; claims: readonly ClaimToday[] }) {
  if (claims.length === 0) return null;
  return (
    <Section id="claims" title={`${study}, today`} lead={<AppLink to="/studies">All studies</AppLink>} card>
      <Facts
        facts={claims.map(({ said, word, today }) => ({
          name: said,
          value: (
            <>
              <ClaimBadge word={word} /> {today}
            </>
          ),
        }))}
      />
    </Section>
  );
}
