import { addedInWords, carriedInWords, linkInWords } from '../../../../shared/kinds/comparison/link.ts';
import type { DistanceDocument } from '../../../../shared/kinds/distance/distance.ts';
import { connectionTitles } from '../../../../shared/kinds/distance/distance.ts';
import { distanceSentences } from '../../../../shared/kinds/distance/distance-sentence.ts';
import { type Fact, Facts } from '../../../components/facts.tsx';
import { MethodSection } from '../../../components/method-section.tsx';
import { ResultHead } from '../../../components/result-head.tsx';
import { Section } from '../../../components/section.tsx';
import { printCount } from '../../../format/count.ts';
import { DistanceFigure } from './distance-figure.tsx';
import { DistanceTable } from './distance-table.tsx';
import { RoundTripTable } from './round-trip-table.tsx';

type Props = { document: DistanceDocument; takeFocus: boolean };

export function DistancePage({ document, takeFocus }: Props) {
  const { rows, links, plan, environment } = document;
  const measured = rows.filter(({ reason }) => reason === null);
  const missing = rows.flatMap(({ connection, reason }) =>
    reason === null ? [] : [{ name: connectionTitles[connection], value: reason }],
  );
  return (
    <>
      <ResultHead
        document={document}
        tab="What a new connection costs at a distance"
        sentences={distanceSentences(document)}
        counts={`${printCount(links.length, 'link')}, ${plan.rounds} of ${printCount(plan.roundsPlanned, 'round')}`}
        takeFocus={takeFocus}
      />
      {plan.rounds === 0 ? null : (
        <>
          <Section id="time" title="Time to the first byte" card="stack">
            <DistanceFigure links={links} rows={measured} />
            <DistanceTable links={links} rows={measured} />
          </Section>
          <Section
            id="round-trips"
            title="Round trips"
            lead="Expected from the messages of the handshake, and measured."
            card
          >
            <RoundTripTable links={links} rows={measured} />
          </Section>
        </>
      )}
      {missing.length === 0 ? null : (
        <Section id="not-measured" title="Not measured" card>
          <Facts facts={missing} />
        </Section>
      )}
      <MethodSection
        plan={[
          {
            name: 'Rounds',
            value: `${plan.rounds} rounds in random order, ${printCount(plan.connections, 'connection')} each time`,
          },
          ...pathFacts(links),
          ...links.map((link) => ({
            name: `Added by the link, ${linkInWords(link)}`,
            value: link.added === null ? 'not measured' : addedInWords(link.added),
          })),
          { name: 'Seed', value: <code>{document.seed}</code> },
        ]}
        machine={environment}
      />
    </>
  );
}

/** One where all links were carried alike. */
function pathFacts(links: DistanceDocument['links']): Fact[] {
  const facts = links.flatMap((link) =>
    link.by === undefined ? [] : [{ name: `Path, ${linkInWords(link)}`, value: carriedInWords(link.by) }],
  );
  const [first] = facts;
  const isOne = first !== undefined && facts.every(({ value }) => value === first.value);
  return isOne ? [{ name: 'Path', value: first.value }] : facts;
}
