import { printNumber } from '../../../shared/base/quantity.ts';
import type { ServersEvent } from '../../../shared/kinds/servers/servers-duration.ts';
import { Section } from '../../components/card.tsx';
import { LongTable } from '../../components/data-table.tsx';

type Visit = Extract<ServersEvent, { type: 'visit' }>;

/** The latest visit to each cell, the newest first. */
type LiveVisits = readonly Visit[];

export const noVisits: LiveVisits = [];

export function followVisits(visits: LiveVisits, visit: Visit): LiveVisits {
  return [visit, ...visits.filter(({ cell }) => cell !== visit.cell)];
}

/** The cells as they are visited. */
export function LiveVisitTable({ figures }: { figures: LiveVisits }) {
  if (figures.length === 0) return null;
  return (
    <Section id="visits" title="Cells so far" lead="The latest visit to each. Provisional." card="flush">
      <LongTable
        first={12}
        what="cell"
        narrow="cards"
        caption="Requests per second in the latest visit"
        rows={figures}
        keyOf={({ cell }) => cell}
        columns={[
          { label: 'Cell', cell: ({ cell }) => cell },
          { label: 'HTTP', numeric: true, cell: ({ httpPerS, failure }) => printRate(httpPerS, failure) },
          {
            label: 'HTTPS',
            numeric: true,
            cell: ({ httpsPerS, failure }) => printRate(httpsPerS, failure),
          },
        ]}
      />
    </Section>
  );
}

function printRate(perS: number | null, failure: string | null): string {
  if (perS !== null) return printNumber(perS, 0);
  return failure === null ? '–' : 'failed';
}
