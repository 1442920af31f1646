import { useQuery } from '@tanstack/react-query';
import { countRows } from '../../../shared/studies/count-rows.ts';
import type { StudyReport } from '../../../shared/studies/study-report.ts';
import { studiesQuery } from '../../api/studies-query.ts';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { printCount } from '../../format/count.ts';
import { ClaimTable } from './claim-table.tsx';
import { MeasureSection } from './measure-section.tsx';
import classes from './studies.module.css';
import { StudySection } from './study-section.tsx';

/** What five studies and today's field said about the cost of TLS, each claim with today's figure. */
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
    </>
  );
}
