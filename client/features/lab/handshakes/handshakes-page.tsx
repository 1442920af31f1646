import { printNumber } from '../../../../shared/base/quantity.ts';
import type { HandshakesDocument } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { measuredOf, sentencesOf } from '../../../../shared/kinds/handshakes/handshakes-sentence.ts';
import { handshakesFinding } from '../../../../shared/report/handshakes-report.ts';
import { MethodSection } from '../../../components/method-section.tsx';
import { ResultHead } from '../../../components/result-head.tsx';
import { Sections } from '../../../components/sections.tsx';
import { printCount } from '../../../format/count.ts';
import { gridCurves } from '../then-and-now/grid-curves.ts';
import { ThenAndNowFigure } from '../then-and-now/then-and-now-figure.tsx';
import { BarsByCell } from './bars-by-cell.tsx';
import { BytesFigure } from './bytes-figure.tsx';
import { CellTable } from './cell-table.tsx';
import { HeatTable } from './heat-table.tsx';

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
        </>
      )}
      <Sections
        of={handshakesFinding(document).sections}
        charts={{
          'then-and-now': <ThenAndNowFigure legend="Suite and key of 1997" curves={gridCurves(cells)} />,
        }}
      />
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
