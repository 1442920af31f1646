import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { Link, useSearchParams } from 'react-router';
import { mayCall } from '../../api/identity.ts';
import { starting } from '../../api/late-call.ts';
import { machineQuery, questionsQuery, recentQuery } from '../../api/queries.ts';
import { useCreateMeasurement } from '../../api/use-create-measurement.ts';
import { ActionButton, PageHead } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Section } from '../../components/card.tsx';
import { QuestionTable } from '../../components/question-table.tsx';
import { keepUnits, printDuration } from '../../format/printed-figures.ts';
import classes from './launch.module.css';
import { LaunchCard } from './launch-card.tsx';
import { readBrought } from './launch-draft.ts';

/** Reads whole results, which the form itself has no use for. */
const Intake = lazy(() => import('./intake.tsx'));

export function LaunchPage() {
  const [address] = useSearchParams();
  const brought = readBrought(address);
  if (brought !== null) return <Intake {...brought} />;
  return <Launch />;
}

function Launch() {
  const { data: runs } = useQuery(recentQuery('comparison', 1));
  const questions = useInfiniteQuery(questionsQuery('', 5)).data?.pages[0]?.questions ?? [];
  return (
    <>
      <PageHead tab="Measure" title="What does HTTPS cost, compared with HTTP?" />
      {runs?.length === 0 && mayCall(starting) ? <FirstRun /> : null}
      <LaunchCard />
      {questions.length === 0 ? null : (
        <Section
          id="questions"
          title="Your questions"
          lead={<Link to="/results">All results</Link>}
          card="flush"
        >
          <QuestionTable label="Your questions" lines={questions} />
        </Section>
      )}
    </>
  );
}

/** Nothing was measured yet: one click from an empty database to a verdict. */
function FirstRun() {
  const { data: machine } = useQuery(machineQuery);
  const expected = machine?.expected.find(
    ({ length, target }) => length === 'first' && target === 'storefront',
  );
  const launch = useCreateMeasurement();
  return (
    <section className={classes.first} aria-label="First run">
      <div>
        <h2>See it on the built-in storefront</h2>
        <p>
          A small shop with a database. About {keepUnits(printDuration(expected?.seconds ?? 30))}. Or see{' '}
          <Link to="/examples">example results</Link> first.
        </p>
      </div>
      <ActionButton
        size="lg"
        pending={launch.isPending}
        onClick={() => launch.mutate({ kind: 'comparison', length: 'first' })}
      >
        Run the storefront now
      </ActionButton>
      <ProblemNotice error={launch.error} />
    </section>
  );
}
