import { countRows } from '../../../shared/studies/count-rows.ts';
import type { PlannedMeasurement, StudyReport, StudyRow } from '../../../shared/studies/study-report.ts';
import { Card } from '../../components/card.tsx';
import { Fold } from '../../components/fold.tsx';
import { Section } from '../../components/section.tsx';
import { ClaimTable } from './claim-table.tsx';
import classes from './studies.module.css';

type Props = {
  study: StudyReport['studies'][number];
  rows: readonly StudyRow[];
  measurements: readonly PlannedMeasurement[];
};

export function StudySection({ study, rows, measurements }: Props) {
  const { name, year, title, source, machine } = study;
  const tables = Map.groupBy(rows, ({ table }) => table);
  return (
    <>
      <Section
        id={name}
        title={`${year}: ${title}`}
        lead={`${source}. Measured on: ${machine}.`}
        card="flush"
      >
        <div className={classes.claims}>
          <ClaimTable
            caption={`Claims of ${title}, ${year}`}
            rows={tables.get(null) ?? []}
            measurements={measurements}
          />
        </div>
      </Section>
      {[...tables].map(([table, own]) =>
        table === null ? null : (
          <Fold
            key={table}
            id={`${name}-${table.toLowerCase().replaceAll(/\W+/g, '-')}`}
            title={table}
            lead={countRows(own)}
          >
            <Card flush>
              <div className={classes.claims}>
                <ClaimTable caption={`${title}, ${year}: ${table}`} rows={own} measurements={measurements} />
              </div>
            </Card>
          </Fold>
        ),
      )}
    </>
  );
}
