import { Link } from 'react-router';
import type { PlannedMeasurement, StudyReport, StudyRow } from '../../../shared/studies/study-report.ts';
import { ClaimBadge } from '../../components/claim-badge.tsx';
import { LongTable } from '../../components/long-table.tsx';
import { Term } from '../../components/term.tsx';
import { printDuration } from '../../format/duration.ts';
import classes from './studies.module.css';

type Props = {
  caption: string;
  rows: readonly StudyRow[];
  measurements: readonly PlannedMeasurement[];
  /** Of claims that have each their own; left out where the section names it. */
  sources?: StudyReport['studies'];
};

const first = 20;

/** One claim per row: what was said, the figure of then, today's figure, and the outcome, which explains its rule. */
export function ClaimTable({ caption, rows, measurements, sources }: Props) {
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
        { label: 'Then', cell: ({ printed }) => printed ?? '' },
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

function Source({ row, sources }: { row: StudyRow; sources: Props['sources'] }) {
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
  measurements: Props['measurements'];
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
