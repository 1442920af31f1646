import { Link } from 'react-router';
import { isMeasuredHere, missingOf, type PlannedMeasurement } from '../../../shared/studies/study-report.ts';
import { examplesInWords } from '../../../shared/words/example-words.ts';
import { mayCall } from '../../api/identity.ts';
import { starting } from '../../api/late-endpoints.ts';
import { useMeasureStudies } from '../../api/use-measure-studies.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ButtonRow } from '../../components/button-row.tsx';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Fold } from '../../components/fold.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { printCount } from '../../format/count.ts';
import { printDuration } from '../../format/duration.ts';
import { printWhen } from '../../format/when.ts';

export function MeasureSection({ measurements }: { measurements: readonly PlannedMeasurement[] }) {
  const measure = useMeasureStudies();
  const missing = missingOf(measurements, false);
  const grid = missingOf(measurements, true).filter(({ full }) => full);
  const may = mayCall(starting);
  return (
    <div className="stack">
      <Card stack>
        <p>
          {sentenceOf(measurements, missing)} {examplesInWords(measurements)}
        </p>
        {may && missing.length + grid.length > 0 ? (
          <ButtonRow>
            {missing.length === 0 ? null : (
              <ActionButton pending={measure.isPending} onClick={() => measure.mutate(missing)}>
                Measure the rest, {printMinutes(missing)}
              </ActionButton>
            )}
            {grid.length === 0 ? null : (
              <ActionButton
                variant="default"
                pending={measure.isPending}
                onClick={() => measure.mutate(grid)}
              >
                Add Malmgren’s grid, {printMinutes(grid)}
              </ActionButton>
            )}
          </ButtonRow>
        ) : null}
        <ProblemNotice error={measure.error} />
      </Card>
      <Fold id="measurements" title="Measurements" lead="Each answers several claims.">
        <Card flush>
          <DataTable
            caption="Measurements that answer the claims"
            text
            rows={measurements}
            keyOf={({ name }) => name}
            columns={[
              { label: 'Measurement', cell: ({ title }) => title },
              { label: 'Time', cell: ({ seconds }) => printDuration(seconds) },
              { label: 'State', cell: (each) => <State measurement={each} /> },
            ]}
          />
        </Card>
      </Fold>
    </div>
  );
}

function State({ measurement: { measured, going, why } }: { measurement: PlannedMeasurement }) {
  if (going !== null) return <Link to={going.url}>Being measured</Link>;
  if (measured !== null) {
    const { url, createdAt, cpuModel, cores, isExample } = measured;
    return (
      <>
        {isExample ? 'Example: ' : ''}
        <Link to={url}>{printWhen(createdAt)}</Link>, {cpuModel}, {printCount(cores, 'core')}
      </>
    );
  }
  return <>{why ?? 'Not measured'}</>;
}

function sentenceOf(
  measurements: readonly PlannedMeasurement[],
  missing: readonly PlannedMeasurement[],
): string {
  const asked = measurements.filter(({ full }) => !full);
  const going = asked.filter((each) => each.going !== null).length;
  const done = asked.filter(isMeasuredHere).length;
  const counted = `${done} of ${printCount(asked.length, 'measurement')} done here`;
  if (going > 0)
    return `${counted}, ${going} under way or waiting. You can close this page. Measuring continues.`;
  return missing.length === 0
    ? `${counted}.`
    : `${counted}. The rest takes about ${printMinutes(missing)} on a quiet machine.`;
}

function printMinutes(of: readonly PlannedMeasurement[]): string {
  return `${Math.ceil(of.reduce((sum, { seconds }) => sum + seconds, 0) / 60)} min`;
}
