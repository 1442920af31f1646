import { printNumber } from '../../../../shared/base/quantity.ts';
import type { HandshakesDocument } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { measuredOf, sentencesOf } from '../../../../shared/kinds/handshakes/handshakes-sentence.ts';
import { MethodSection } from '../../../components/method-section.tsx';
import { ResultHead } from '../../../components/result-head.tsx';
import { TableSection } from '../../../components/table-section.tsx';
import { printCount } from '../../../format/count.ts';
import { BarsByCell } from './bars-by-cell.tsx';
import { BytesFigure } from './bytes-figure.tsx';
import { CellTable } from './cell-table.tsx';
import { EndsSection } from './ends-section.tsx';
import { GridThenAndNow } from './grid-then-and-now.tsx';
import { HeatTable } from './heat-table.tsx';
import { PlainSection } from './plain-section.tsx';

type Props = { document: HandshakesDocument; takeFocus: boolean };

export function HandshakesPage({ document, takeFocus }: Props) {
  const { plan, cells } = document;
  const measured = measuredOf(cells);
  return (
    <>
      <ResultHead
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
      <MethodSection
        plan={[
          {
            name: 'Ratio baseline',
            value: <code>{document.baseline?.cell.id ?? 'not measured'}</code>,
          },
          {
            name: 'Rounds',
            value: `${plan.warmUps} warm-ups per cell, ${plan.rounds} rounds in random order, up to ${printNumber(plan.connectionsPlanned, 0)} connections per cell`,
          },
          { name: 'Seed', value: <code>{document.seed ?? 'none'}</code> },
        ]}
        machine={document.environment}
      />
    </>
  );
}

function NotMeasured({ document: { cells } }: { document: HandshakesDocument }) {
  const others = cells.filter((cell) => cell.status !== 'measured');
  if (others.length === 0) return null;
  return (
    <TableSection
      id="not-measured"
      title="Not measured"
      lead="What the library refused to negotiate, with its error."
      caption="Cells that were not measured"
      text
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
  );
}
