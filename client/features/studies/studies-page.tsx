import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { printDay } from '../../../shared/base/moment.ts';
import {
  countRows,
  isMeasuredHere,
  missingOf,
  type PlannedMeasurement,
  type StudyReport,
  type StudyRow,
} from '../../../shared/studies/study-report.ts';
import { examplesInWords } from '../../../shared/words/example-words.ts';
import { mayCall } from '../../api/identity.ts';
import { starting } from '../../api/late-call.ts';
import { useMeasureStudies } from '../../api/result-mutations.ts';
import { studiesQuery } from '../../api/result-queries.ts';
import { ActionButton, ButtonRow, PageHead, Waiting } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Card, Section } from '../../components/card.tsx';
import { DataTable, LongTable } from '../../components/data-table.tsx';
import { ClaimBadge } from '../../components/report-sections.tsx';
import { Fold, Term } from '../../components/term.tsx';
import { printCount, printDuration, printWhen } from '../../format/printed-figures.ts';
import classes from './studies.module.css';

/** Claims of five studies and of today's field about the cost of TLS, each with today's figure. */
export default function StudiesPage() {
  const { data, error, isPending } = useQuery(studiesQuery);
  return (
    <>
      <PageHead tab="Studies" title="What did HTTPS cost, and what does it cost now?">
        <p>
          {data === undefined
            ? 'Five studies from 1997 to 2011 and today’s field: each claim with today’s figure.'
            : `${printCount(data.rows.length, 'claim')} of five studies and of today’s field: ${countRows(data.rows)}.`}
        </p>
      </PageHead>
      <ProblemNotice error={error} />
      {isPending ? <Waiting>Loading the studies</Waiting> : null}
      {data === undefined ? null : <Report report={data} />}
    </>
  );
}

function Report({ report }: { report: StudyReport }) {
  const { studies, measurements, rows } = report;
  const field = studies.filter(({ group }) => group === 'field');
  const [pairs] = studies.filter(({ group }) => group === 'pairs');
  const ofField = rows.filter(({ study }) => field.some(({ name }) => name === study));
  return (
    <>
      <MeasureSection measurements={measurements} />
      {studies
        .filter(({ group }) => group === 'study')
        .map((study) => (
          <StudySection
            key={study.name}
            study={study}
            rows={rows.filter((row) => row.study === study.name)}
            measurements={measurements}
          />
        ))}
      <Section
        id="field"
        title="Today’s field"
        lead="Claims of 2015 to 2026, each with its source."
        card="flush"
      >
        <div className={classes.claims}>
          <ClaimTable
            caption="Claims of today’s field"
            rows={ofField}
            measurements={measurements}
            sources={field}
          />
        </div>
      </Section>
      {pairs === undefined ? null : (
        <Section id="pairs" title={pairs.title} lead={`${pairs.source}.`} card="flush">
          <div className={classes.claims}>
            <ClaimTable
              caption={pairs.title}
              rows={rows.filter(({ study }) => study === pairs.name)}
              measurements={measurements}
              dated
            />
          </div>
        </Section>
      )}
    </>
  );
}

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
                Add the long runs, {printMinutes(grid)}
              </ActionButton>
            )}
          </ButtonRow>
        ) : null}
        <ProblemNotice error={measure.error} />
      </Card>
      <Fold id="measurements" title="Runs" lead="Each answers several claims.">
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
  const counted = `${done} of ${printCount(asked.length, 'run')} done here`;
  if (going > 0)
    return `${counted}, ${going} under way or waiting. You can close this page. Measuring continues.`;
  return missing.length === 0
    ? `${counted}.`
    : `${counted}. The rest takes about ${printMinutes(missing)} on a quiet machine.`;
}

function printMinutes(of: readonly PlannedMeasurement[]): string {
  return `${Math.ceil(of.reduce((sum, { seconds }) => sum + seconds, 0) / 60)} min`;
}

type TableProps = {
  caption: string;
  rows: readonly StudyRow[];
  measurements: readonly PlannedMeasurement[];
  /** Sources of claims that each have their own; absent where the section names it. */
  sources?: StudyReport['studies'];
  /** With the date of each measurement, where no source has a figure. */
  dated?: boolean;
};

const first = 20;

/** One claim per row: what was said, the figure of then, today's figure, and the outcome, which explains its rule. */
export function ClaimTable({ caption, rows, measurements, sources, dated = false }: TableProps) {
  const dayOf = ({ by }: StudyRow) => {
    const measured = measurements.find(({ name }) => name === by)?.measured;
    return measured == null ? '' : printDay(measured.createdAt);
  };
  return (
    <LongTable
      caption={caption}
      text
      rows={rows}
      first={first}
      what="row"
      narrow="cards"
      keyOf={({ id }) => id}
      columns={[
        {
          label: 'Claim',
          cell: (row) => (
            <>
              {row.said}
              <Source row={row} sources={sources} />
            </>
          ),
        },
        dated ? { label: 'Measured', cell: dayOf } : { label: 'Then', cell: ({ printed }) => printed ?? '' },
        { label: 'Today', cell: (row) => <Now row={row} measurements={measurements} /> },
        {
          label: 'Outcome',
          cell: (row) =>
            row.rule === null && row.by === null ? (
              <ClaimBadge word={row.word} />
            ) : (
              <Term meaning={<Meaning row={row} />}>
                <ClaimBadge word={row.word} />
              </Term>
            ),
        },
      ]}
    />
  );
}

function Source({ row, sources }: { row: StudyRow; sources: TableProps['sources'] }) {
  const study = sources?.find(({ name }) => name === row.study);
  if (study === undefined) return null;
  const { source, date, url } = study;
  return (
    <p className={classes.source}>
      {url === null ? source : <a href={url}>{source}</a>}, {date}
    </p>
  );
}

/** The figure with its evidence; without one, the measurement that would give it. */
function Now({
  row: { now, url, why, by, note },
  measurements,
}: {
  row: StudyRow;
  measurements: TableProps['measurements'];
}) {
  const measurement = measurements.find(({ name }) => name === by);
  if (now !== null && url !== null) {
    const isExample = measurement?.measured?.isExample === true;
    return (
      <span>
        {now.today.replace(/\.$/, '')} <Link to={url}>{isExample ? 'Example' : 'Evidence'}</Link>
      </span>
    );
  }
  if (why !== null) return <>{why}</>;
  // Nothing can be measured here: that is why.
  if (measurement === undefined) return <>{note}</>;
  return (
    <>
      {measurement.title}, {printDuration(measurement.seconds)}
    </>
  );
}

function Meaning({ row: { rule, note, why, now } }: { row: StudyRow }) {
  return (
    <>
      <p>
        {rule === null
          ? 'Shown, but not compared.'
          : `Holds if the whole interval is ${rule}, and no longer if all of it is outside.`}
      </p>
      {now === null || why === null ? null : <p>{why}</p>}
      {note === null ? null : <p>{note}</p>}
    </>
  );
}
