import { printNumber } from '../../../../shared/base/quantity.ts';
import type { CellDocument, ServersVisit } from '../../../../shared/kinds/servers/servers-result.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { DistributionStrip } from '../../../components/distribution-strip.tsx';
import { LongTable } from '../../../components/long-table.tsx';
import { Section } from '../../../components/section.tsx';
import { cellMetrics, changesOf, type RoundChanges } from './round-changes.ts';

const arms = [
  ['baseline', 'HTTP'],
  ['comparison', 'HTTPS'],
  ['twin', 'Twin'],
] as const;

/** What each round said: HTTPS against HTTP as dots, the twin hollow, and the figures. */
export function RoundSection({ document: { visits, result } }: { document: CellDocument }) {
  const strips = cellMetrics.flatMap((metric) => {
    const changes = changesOf(visits, result, metric.id);
    return changes === null ? [] : [{ ...metric, changes }];
  });
  return (
    <Section
      id="rounds"
      title="Round by round"
      lead="Each dot is one round, HTTPS against HTTP. Hollow dots are the HTTP twin. Each round starts new servers."
      card
    >
      <div className="stack wide">
        {strips.length === 0 ? null : (
          <DataTable
            caption="Changes by round"
            rows={strips}
            keyOf={({ id }) => id}
            columns={[
              { label: 'Metric', cell: ({ title }) => title },
              {
                label: 'HTTPS against HTTP',
                numeric: false,
                cell: ({ title, changes }) => <RoundStrip title={title} changes={changes} />,
              },
            ]}
          />
        )}
        <LongTable
          first={12}
          what="round"
          caption="Visits"
          narrow="scroll"
          rows={visits}
          keyOf={({ round }) => round}
          columns={[
            { label: 'Round', cell: ({ round }) => round + 1 },
            ...arms.map(([arm, name]) => ({
              label: `${name}, requests/s`,
              numeric: true,
              cell: (visit: ServersVisit) => printOf(visit, arm, 'perS', 0),
            })),
            ...arms.map(([arm, name]) => ({
              label: `${name}, CPU µs`,
              numeric: true,
              cell: (visit: ServersVisit) => printOf(visit, arm, 'cpuUs', 1),
            })),
            {
              label: 'Errors',
              numeric: true,
              cell: ({ arms: measured, failure }) =>
                measured === null
                  ? (failure ?? '–')
                  : printNumber(
                      Object.values(measured).reduce((sum, { errors }) => sum + errors, 0),
                      0,
                    ),
            },
            {
              label: 'Stolen',
              numeric: true,
              cell: ({ machine }) =>
                machine === null ? '–' : `${printNumber(100 * machine.stealRatio, 1)} %`,
            },
          ]}
        />
      </div>
    </Section>
  );
}

function RoundStrip({ title, changes }: { title: string; changes: RoundChanges }) {
  const { rounds, twins, interval } = changes;
  const print = (percent: number) => `${printNumber(percent, 1)} %`;
  return (
    <DistributionStrip
      marks={rounds}
      nulls={twins}
      interval={interval}
      label={`${title}: HTTPS against HTTP in ${rounds.length} rounds, ${print(Math.min(...rounds))} to ${print(Math.max(...rounds))}`}
      print={print}
    />
  );
}

function printOf(
  { arms: measured }: ServersVisit,
  arm: (typeof arms)[number][0],
  field: 'perS' | 'cpuUs',
  decimals: number,
): string {
  const value = measured?.[arm]?.[field] ?? null;
  return value === null ? '–' : printNumber(value, decimals);
}
