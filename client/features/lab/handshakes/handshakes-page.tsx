import { useQueryClient } from '@tanstack/react-query';
import type { HandshakesDocument } from '../../../../shared/lab.ts';
import { measuredOf, sentencesOf } from '../../../../shared/lab-sentence.ts';
import { callEndpoint } from '../../../api/call-endpoint.ts';
import { forgetDeleteToken, recallDeleteToken } from '../../../api/delete-tokens.ts';
import { labQuery } from '../../../api/queries.ts';
import { Badge } from '../../../components/badge.tsx';
import { Card } from '../../../components/card.tsx';
import { Facts } from '../../../components/facts.tsx';
import { MachineFacts } from '../../../components/machine-facts.tsx';
import { Notice } from '../../../components/notice.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { Section } from '../../../components/section.tsx';
import { ShareSection } from '../../../components/share-section.tsx';
import { printCount } from '../../../format/count.ts';
import { lookOfState } from '../../../format/outcome.ts';
import { printWhen } from '../../../format/when.ts';
import classes from '../lab-card.module.css';
import { BarsByCell } from './bars-by-cell.tsx';
import { CellTable } from './cell-table.tsx';
import { EndsSection } from './ends-section.tsx';
import { HeatTable } from './heat-table.tsx';
import { PlainSection } from './plain-section.tsx';

type Props = { document: HandshakesDocument; takeFocus: boolean };

/** A grid that is over, whole or in part: what it found in words, then every cell. */
export function HandshakesPage({ document, takeFocus }: Props) {
  const { state, problem, plan, warnings, createdAt, cells } = document;
  const [headline, ...more] = sentencesOf(document);
  const look = lookOfState(state);
  const measured = measuredOf(cells);
  const title = headline ?? problem?.title ?? 'Nothing was measured';
  return (
    <article>
      <PageHead
        tab={headline === undefined ? look.word : 'What a handshake costs'}
        title={title}
        testId="lab-headline"
        takeFocus={takeFocus}
        above={
          <Badge tone={look.tone} icon={look.icon}>
            {look.word}
          </Badge>
        }
      >
        {more.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {problem === null ? null : (
          <Notice tone={state === 'failed' ? 'bad' : 'warn'} title={problem.detail}>
            <p>{problem.advice}</p>
          </Notice>
        )}
        <p>
          {printCount(measured.length, 'cell')}, {plan.rounds} of {printCount(plan.roundsPlanned, 'round')},{' '}
          <time dateTime={new Date(createdAt).toISOString()}>{printWhen(createdAt)}</time>
        </p>
      </PageHead>
      {warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          <p>{warning}</p>
        </Notice>
      ))}
      {measured.length === 0 ? null : (
        <>
          <BarsByCell cells={measured} />
          <HeatTable cells={measured} />
          <CellTable document={document} cells={measured} />
          <EndsSection cells={measured} />
          <PlainSection plain={document.plain} />
        </>
      )}
      <NotMeasured document={document} />
      <Section id="method" title="How it was measured">
        <div className={classes.form}>
          <Card>
            <Facts
              facts={[
                {
                  name: 'Baseline of the ratios',
                  value: <code>{document.baseline?.cell.id ?? 'not measured'}</code>,
                },
                {
                  name: 'Plan',
                  value: `${plan.warmUps} warm-ups a cell, ${plan.rounds} rounds in random order, ${plan.connectionsPlanned} connections a cell`,
                },
                { name: 'Seed', value: <code>{document.seed}</code> },
              ]}
            />
          </Card>
          <Card>
            <MachineFacts machine={document.environment} />
          </Card>
        </div>
      </Section>
      <ShareLab document={document} />
    </article>
  );
}

function NotMeasured({ document: { cells } }: { document: HandshakesDocument }) {
  const others = cells.filter((cell) => cell.status !== 'measured');
  if (others.length === 0) return null;
  return (
    <Section
      id="not-measured"
      title="Not measured"
      lead="What the library would not negotiate, in its own words."
    >
      <Card>
        <Facts facts={others.map(({ cell, reason }) => ({ name: cell.id, value: reason }))} />
      </Card>
    </Section>
  );
}

function ShareLab({ document: { id, command } }: { document: HandshakesDocument }) {
  const queryClient = useQueryClient();
  const token = recallDeleteToken(id);
  async function remove(deleteToken: string) {
    await callEndpoint('deleteLab', { params: { id }, headers: { 'x-delete-token': deleteToken } });
    forgetDeleteToken(id);
    await queryClient.invalidateQueries({ queryKey: ['labs'] });
    // Asked for again, it is gone, and the page says so.
    await queryClient.resetQueries(labQuery(id));
  }
  return (
    <ShareSection
      what="measurement"
      path={`/l/${id}`}
      lead="The address holds every cell with its rounds, and the machine. It needs no login."
      downloads={[
        { suffix: 'json', title: 'JSON, everything' },
        { suffix: 'csv', title: 'CSV, one row a cell' },
        { suffix: 'md', title: 'Markdown, the report' },
      ]}
      command={command}
      onDelete={token === null ? null : () => remove(token)}
    />
  );
}
