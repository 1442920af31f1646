import type { HandshakesDocument } from '../../../../shared/lab.ts';
import { measuredOf, sentencesOf } from '../../../../shared/lab-sentence.ts';
import { printNumber } from '../../../../shared/quantity.ts';
import { Card } from '../../../components/card.tsx';
import { Facts } from '../../../components/facts.tsx';
import { LongTable } from '../../../components/long-table.tsx';
import { MachineFacts } from '../../../components/machine-facts.tsx';
import { Section } from '../../../components/section.tsx';
import { printCount } from '../../../format/count.ts';
import classes from '../lab-card.module.css';
import { LabHead } from '../lab-head.tsx';
import { ShareLab } from '../share-lab.tsx';
import { BarsByCell } from './bars-by-cell.tsx';
import { BytesFigure } from './bytes-figure.tsx';
import { CellTable } from './cell-table.tsx';
import { EndsSection } from './ends-section.tsx';
import { GridThenAndNow } from './grid-then-and-now.tsx';
import { HeatTable } from './heat-table.tsx';
import { PlainSection } from './plain-section.tsx';

type Props = { document: HandshakesDocument; takeFocus: boolean };

/** A grid that is over, whole or in part: what it found in words, then every cell. */
export function HandshakesPage({ document, takeFocus }: Props) {
  const { plan, cells } = document;
  const measured = measuredOf(cells);
  return (
    <article>
      <LabHead
        document={document}
        tab="What a handshake costs"
        sentences={sentencesOf(document)}
        counts={`${printCount(measured.length, 'cell')}, ${plan.rounds} of ${printCount(plan.roundsPlanned, 'round')}`}
        takeFocus={takeFocus}
      />
      {measured.length === 0 ? null : (
        <>
          <BarsByCell cells={measured} />
          <HeatTable cells={measured} />
          <BytesFigure cells={measured} />
          <CellTable document={document} cells={measured} />
          <EndsSection cells={measured} />
          <PlainSection plain={document.plain} />
          <GridThenAndNow cells={cells} />
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
                  value: `${plan.warmUps} warm-ups a cell, ${plan.rounds} rounds in random order, up to ${printNumber(plan.connectionsPlanned, 0)} connections a cell`,
                },
                { name: 'Seed', value: <code>{document.seed ?? 'not drawn'}</code> },
              ]}
            />
          </Card>
          <Card>
            <MachineFacts machine={document.environment} />
          </Card>
        </div>
      </Section>
      <ShareLab document={document} row="cell" />
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
      <Card flush>
        <LongTable
          caption="Cells that were not measured"
          first={12}
          what="cell"
          rows={others}
          keyOf={({ cell }) => cell.id}
          columns={[
            { label: 'Cell', cell: ({ cell }) => cell.id.split('/').join(' · ') },
            {
              label: 'Reason',
              cell: ({ status, reason }) => (status === 'failed' ? `failed: ${reason}` : reason),
            },
          ]}
        />
      </Card>
    </Section>
  );
}
