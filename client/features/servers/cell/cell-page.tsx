import { Link, useParams } from 'react-router';
import type { CellDocument } from '../../../../shared/kinds/servers/servers-result.ts';
import { cellQuery } from '../../../api/result-queries.ts';
import { Facts } from '../../../components/facts.tsx';
import { MeasuredServers } from '../../../components/measured-servers.tsx';
import { Notice } from '../../../components/notice.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { Permalinked } from '../../../components/permalinked.tsx';
import { Section } from '../../../components/section.tsx';
import { printCount } from '../../../format/count.ts';
import { factorTitles, printLevel } from '../../../format/factor-words.ts';
import { printWhen } from '../../../format/when.ts';
import { AbSection } from './ab-section.tsx';
import { cellHeadline } from './cell-headline.ts';
import { FigureTable } from './figure-table.tsx';
import { RoundSection } from './round-section.tsx';

/** One cell of a sweep: what was measured, round by round, and how ab would have printed it. */
export default function CellPage() {
  const { cell = '' } = useParams();
  return (
    <Permalinked query={(id) => cellQuery(id, cell)} code="run_not_found" waiting="Opening the cell">
      {(document) => <Cell document={document} />}
    </Permalinked>
  );
}

function Cell({ document }: { document: CellDocument }) {
  const { id, result, rounds, server, createdAt } = document;
  const { settings } = result.cell;
  const negotiated = document.visits.find(({ arms }) => arms?.comparison.ab != null)?.arms?.comparison.ab
    ?.negotiated;
  return (
    <article>
      <PageHead tab={result.cell.id} title={cellHeadline(result)} testId="headline">
        <p>
          Cell <code>{result.cell.id}</code> of <Link to={`/r/${id}`}>the sweep</Link>, {result.visits} of{' '}
          {printCount(rounds, 'round')},{' '}
          <time dateTime={new Date(createdAt).toISOString()}>{printWhen(createdAt)}</time>
        </p>
      </PageHead>
      {result.failures.map((failure) => (
        <Notice key={failure} tone="warn" title="A visit failed">
          <p>{failure}</p>
        </Notice>
      ))}
      <Section id="settings" title="Settings" card>
        <Facts
          facts={[
            ...(Object.keys(factorTitles) as (keyof typeof factorTitles)[]).map((factor) => ({
              name: factorTitles[factor],
              value: printLevel(factor, settings[factor]),
            })),
            ...(negotiated == null
              ? []
              : [
                  {
                    name: 'Negotiated',
                    value: [negotiated.protocol, negotiated.cipher, negotiated.group, negotiated.key]
                      .filter((each) => each !== null)
                      .join(', '),
                  },
                ]),
          ]}
        />
      </Section>
      <FigureTable result={result} />
      <RoundSection document={document} />
      <AbSection document={document} />
      <MeasuredServers servers={server === null ? [] : [server]} />
    </article>
  );
}
