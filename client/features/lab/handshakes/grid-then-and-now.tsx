import { printFactor, printNumber } from '../../../../shared/base/quantity.ts';
import type { CellResult } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { studies } from '../../../../shared/studies/study.ts';
import {
  handshakeSentences,
  handshakesThenAndNow,
} from '../../../../shared/studies/then-and-now/handshakes-then-and-now.ts';
import { LongTable } from '../../../components/long-table.tsx';
import { Section } from '../../../components/section.tsx';
import { gridCurves } from '../then-and-now/grid-curves.ts';
import { ThenAndNowFigure } from '../then-and-now/then-and-now-figure.tsx';

const study = studies['ssleay-1997'];

/** Beside the table of 1997, where the grid has something of its shape. */
export function GridThenAndNow({ cells }: { cells: readonly CellResult[] }) {
  const sentences = handshakeSentences(cells);
  const rows = handshakesThenAndNow(cells).filter(({ factor }) => factor !== null);
  if (sentences.length + rows.length === 0) return null;
  return (
    <Section
      id="then-and-now"
      title="Then and now"
      lead={`Compared with ${study.source}, ${study.machine}: user time per connection, both ends.`}
      card="stack"
    >
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <ThenAndNowFigure legend="Suite and key of 1997" curves={gridCurves(cells)} />
      {rows.length === 0 ? null : (
        <LongTable
          caption="1997 and today"
          first={20}
          what="row"
          rows={rows}
          keyOf={({ old, resumption }) =>
            `${old.protocol} ${old.cipher} ${old.rsaBits} ${old.bytesEachWay} ${resumption}`
          }
          columns={[
            {
              label: '1997',
              cell: ({ old, resumption }) =>
                `${old.protocol} ${old.cipher}, RSA ${old.rsaBits}, ${resumption}`,
            },
            { label: 'Today', numeric: false, cell: ({ cell }) => (cell === null ? '–' : cell.cipher) },
            { label: 'Bytes', cell: ({ old }) => printNumber(old.bytesEachWay, 0) },
            { label: 'µs then', cell: ({ thenUserUs }) => printNumber(thenUserUs, 0) },
            { label: 'µs now', cell: ({ nowUserUs }) => printNumber(nowUserUs ?? 0, 0) },
            { label: 'Speedup', cell: ({ factor }) => printFactor(factor ?? 0) },
          ]}
        />
      )}
    </Section>
  );
}
