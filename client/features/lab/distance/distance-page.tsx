import { addedInWords, carriedInWords, linkInWords } from '../../../../shared/kinds/comparison/link.ts';
import type { DistanceDocument } from '../../../../shared/kinds/distance/distance.ts';
import { distanceSentences } from '../../../../shared/kinds/distance/distance-sentence.ts';
import { distanceFinding } from '../../../../shared/report/distance-report.ts';
import type { Fact } from '../../../components/facts.tsx';
import { MethodSection } from '../../../components/method-section.tsx';
import { ResultHead } from '../../../components/result-head.tsx';
import { Sections } from '../../../components/sections.tsx';
import { printCount } from '../../../format/count.ts';
import { DistanceFigure } from './distance-figure.tsx';

type Props = { document: DistanceDocument; takeFocus: boolean };

export function DistancePage({ document, takeFocus }: Props) {
  const { rows, links, plan, environment } = document;
  const measured = rows.filter(({ reason }) => reason === null);
  return (
    <>
      <ResultHead
        document={document}
        tab="What a new connection costs at a distance"
        sentences={distanceSentences(document)}
        counts={`${printCount(links.length, 'link')}, ${plan.rounds} of ${printCount(plan.roundsPlanned, 'round')}`}
        takeFocus={takeFocus}
      />
      <Sections
        of={distanceFinding(document).sections}
        charts={{ time: <DistanceFigure links={links} rows={measured} /> }}
      />
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
