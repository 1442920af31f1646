import { printQuantity } from '../../../../shared/base/quantity.ts';
import { scaleOf, shiftOf } from '../../../../shared/base/shift.ts';
import { visitSentences } from '../../../../shared/kinds/visits/visit-sentence.ts';
import {
  journeyName,
  type VisitRow,
  type VisitsDocument,
  visitTimeTitles,
} from '../../../../shared/kinds/visits/visits.ts';
import { Badge } from '../../../components/badge.tsx';
import { Card } from '../../../components/card.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { MethodSection } from '../../../components/method-section.tsx';
import { PagePicture } from '../../../components/page-picture.tsx';
import { ResultHead } from '../../../components/result-head.tsx';
import { Section } from '../../../components/section.tsx';
import { printCount } from '../../../format/count.ts';
import { lookOfOutcome } from '../../../format/outcome.ts';
import { type Sides, sidesOf } from '../../../format/side.ts';

type Props = { document: VisitsDocument; takeFocus: boolean };

/** What a visitor sees of TLS: the same journey in a real browser over both transports. */
export function VisitsPage({ document, takeFocus }: Props) {
  const { rows, blocks, notes, browser, request, stuck } = document;
  const sides = sidesOf(document.sides);
  const kept = blocks.filter(({ dropped }) => dropped === null).length;
  return (
    <>
      <ResultHead
        document={document}
        tab="What HTTPS costs a visitor"
        sentences={visitSentences(rows)}
        counts={`${journeyName(request)}, ${printCount(kept, 'block')} of six visits`}
        takeFocus={takeFocus}
      />
      {stuck === undefined ? null : (
        <Section id="stuck" title="Where a visit stopped" lead={stuck.sentence}>
          {stuck.picture === null ? null : <PagePicture jpeg={stuck.picture} />}
        </Section>
      )}
      {kept === 0 ? null : (
        <>
          <VisitSection
            rows={rows}
            sides={sides}
            pass="cold"
            title="First visit"
            lead="The browser’s cache is empty."
          />
          <VisitSection
            rows={rows}
            sides={sides}
            pass="warm"
            title="Second visit"
            lead="The same journey in a new page, with the cache from the first visit."
          />
        </>
      )}
      {notes.length === 0 ? null : (
        <Section id="notes" title="What was compared" card>
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Section>
      )}
      <MethodSection
        plan={[
          { name: 'Browser', value: browser },
          {
            name: 'Blocks',
            value: `${request.blocks} blocks of ${sides.baseline.label}, ${sides.comparison.label}, and a second ${sides.baseline.label} listener, in random order and then mirrored; one warm-up round discarded`,
          },
          { name: 'Seed', value: <code>{document.seed ?? 'none'}</code> },
        ]}
        machine={document.environment}
      />
    </>
  );
}

type VisitProps = {
  rows: readonly VisitRow[];
  sides: Sides;
  pass: VisitRow['pass'];
  title: string;
  lead: string;
};

function VisitSection({ rows, sides, pass, title, lead }: VisitProps) {
  const own = rows.filter((row) => row.pass === pass);
  const reasons = own.flatMap(({ time, reasons }) =>
    reasons.map((reason) => `${visitTimeTitles[time]}: ${reason}`),
  );
  return (
    <Section id={pass} title={title} lead={lead}>
      <Card flush>
        <DataTable
          caption={`Times of the ${title.toLowerCase()}`}
          rows={own}
          keyOf={({ time }) => time}
          columns={[
            { label: 'Time', cell: ({ time }) => visitTimeTitles[time] },
            { label: sides.baseline.label, numeric: true, cell: (row) => sideOf(row, row.baseline) },
            { label: sides.comparison.label, numeric: true, cell: (row) => sideOf(row, row.comparison) },
            { label: 'Change', numeric: true, cell: (row) => changeOf(row).center ?? '–' },
            { label: '95 % CI', numeric: true, cell: (row) => changeOf(row).interval },
            { label: 'Verdict', cell: (row) => <Verdict row={row} /> },
          ]}
        />
      </Card>
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </Section>
  );
}

function Verdict({ row }: { row: VisitRow }) {
  const look = lookOfOutcome(row.outcome, (row.ratio?.center ?? 1) - 1, 'lower');
  return (
    <Badge tone={look.tone} icon={look.icon}>
      {look.word}
    </Badge>
  );
}

function sideOf(row: VisitRow, side: VisitRow['baseline']): string {
  return side === null ? '–' : printQuantity(side.center, scaleOf({ ...row, unit: 'us' }));
}

function changeOf(row: VisitRow) {
  return shiftOf({ ...row, unit: 'us' }) ?? { center: null, interval: '–' };
}
