import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { Link, useSearchParams } from 'react-router';
import { mayCall } from '../../api/identity.ts';
import { starting } from '../../api/late-call.ts';
import { questionsQuery } from '../../api/queries.ts';
import { PageHead } from '../../components/action-button.tsx';
import { Section } from '../../components/card.tsx';
import { QuestionTable } from '../../components/question-table.tsx';
import { LaunchCard } from './launch-card.tsx';
import { QuestionTitle, questionInWords } from './question-form.tsx';
import { readBrought, useLaunch } from './use-launch.ts';

/** Reads whole results, which the form itself has no use for. */
const Intake = lazy(() => import('./intake.tsx'));

export function LaunchPage() {
  const [address] = useSearchParams();
  const brought = readBrought(address);
  if (brought !== null) return <Intake {...brought} />;
  return <Launch />;
}

function Launch() {
  const launch = useLaunch();
  const questions = useInfiniteQuery(questionsQuery('', 5)).data?.pages[0]?.questions ?? [];
  const { form, set } = launch.fields;
  return (
    <>
      <PageHead
        tab="Measure"
        title={mayCall(starting) ? <QuestionTitle form={form} set={set} /> : questionInWords(form)}
        label={questionInWords(form)}
      />
      {mayCall(starting) ? <LaunchCard launch={launch} /> : null}
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
