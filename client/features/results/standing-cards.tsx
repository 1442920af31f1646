import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { recordingEndpoints } from '../../../shared/api/recording-endpoints.ts';
import { printChange } from '../../../shared/base/quantity.ts';
import type { QuestionLine } from '../../../shared/kinds/comparison/question-line.ts';
import type { OpenRecording as OpenRecordingAnswer } from '../../../shared/scenario/recorder.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { mayCall } from '../../api/identity.ts';
import { underWayQuery } from '../../api/queries.ts';
import { schedulesQuery } from '../../api/schedules-query.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { printCount } from '../../format/count.ts';
import { sidesOf } from '../../format/side.ts';
import { printAgo, printClock, printWhen } from '../../format/when.ts';
import classes from './results.module.css';

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** How things stand: what is measured, what waits, which levels changed this week, and what is repeated. */
export function StandingCards({ questions }: { questions: readonly QuestionLine[] }) {
  return (
    <ul className={classes.cards} aria-label="How things stand">
      <UnderWay />
      <Steps questions={questions} />
      <Repeated />
    </ul>
  );
}

type StandingProps = { title: string; value: ReactNode; children: ReactNode };

function Standing({ title, value, children }: StandingProps) {
  return (
    <li>
      <p className={classes.title}>{title}</p>
      <p className={classes.value}>{value}</p>
      <p>{children}</p>
    </li>
  );
}

function UnderWay() {
  const { data: running = [] } = useQuery(underWayQuery('running'));
  const recording = useOpenRecording();
  const { data: waiting = [] } = useQuery(underWayQuery('queued'));
  const [first] = running;
  const [next] = waiting.toSorted((a, b) => (a.queuePosition ?? 0) - (b.queuePosition ?? 0));
  return (
    <>
      <Standing title="Running" value={running.length + (recording.open === null ? 0 : 1)}>
        {recording.open !== null ? (
          <OpenRecording {...recording} open={recording.open} />
        ) : first === undefined ? (
          'Nothing is measured'
        ) : (
          <>
            <Link to={first.url}>{first.title}</Link>, asked for {printAgo(first.createdAt, Date.now())}
          </>
        )}
      </Standing>
      <Standing title="Waiting" value={waiting.length}>
        {next === undefined ? (
          'The queue is empty'
        ) : (
          <>
            Next: <Link to={next.url}>{next.title}</Link>
          </>
        )}
      </Standing>
    </>
  );
}

function useOpenRecording() {
  const { data, refetch } = useQuery({
    queryKey: ['recordings', 'open'],
    queryFn: ({ signal }) => callEndpoint(recordingEndpoints.openRecording, { signal }),
    enabled: mayCall(recordingEndpoints.openRecording),
    staleTime: 0,
    refetchInterval: 5_000,
  });
  const end = useMutation({
    mutationFn: () => callEndpoint(recordingEndpoints.endRecording, {}),
    onSettled: () => refetch(),
  });
  return { open: data?.open ?? null, end };
}

type OpenRecordingProps = {
  open: NonNullable<OpenRecordingAnswer['open']>;
  end: ReturnType<typeof useOpenRecording>['end'];
};

/** It has the machine, so its holder is told, and an admin may end another person's. */
function OpenRecording({ open: { startedAt, url }, end }: OpenRecordingProps) {
  const isOwn = url !== null;
  return (
    <>
      {isOwn ? 'Your recording' : 'A recording'} from {printClock(startedAt)} is open:{' '}
      {isOwn ? (
        <>
          <Link to={url}>continue</Link> or{' '}
        </>
      ) : null}
      <ActionButton size="compact-sm" variant="subtle" blocked={end.isPending} onClick={() => end.mutate()}>
        {isOwn ? 'discard' : 'End it'}
      </ActionButton>
      <ProblemNotice error={end.error} />
    </>
  );
}

function Steps({ questions }: { questions: readonly QuestionLine[] }) {
  const since = Date.now() - weekMs;
  const steps = questions.flatMap(({ newest, trend }) =>
    trend.flatMap((run, place) => {
      const before = trend[place - 1];
      return run.isStep && run.createdAt > since && before !== undefined
        ? [{ ...run, newest, change: run.ratio.center / before.ratio.center }]
        : [];
    }),
  );
  const [step] = steps.toSorted((a, b) => b.createdAt - a.createdAt);
  return (
    <Standing title="Steps this week" value={steps.length}>
      {step === undefined ? (
        'No level changed'
      ) : (
        <>
          <Link to={step.url}>{sidesOf(step.newest.sides).comparison.label}</Link> on {step.newest.target}:{' '}
          {printChange(step.change, 1)}
        </>
      )}
    </Standing>
  );
}

function Repeated() {
  const { data: schedules = [] } = useQuery(schedulesQuery());
  const on = schedules.filter(({ state }) => state === 'on');
  const failed = on.filter(({ last }) => last?.problem != null);
  const [next] = on.flatMap(({ nextAt }) => nextAt ?? []).toSorted((a, b) => a - b);
  return (
    <Standing title="Repeated" value={on.length}>
      {failed.length > 0 ? (
        <Link to="/runs/schedules">{printCount(failed.length, 'schedule')} failed</Link>
      ) : next === undefined ? (
        'Nothing is repeated'
      ) : (
        <>
          Next <Link to="/runs/schedules">on {printWhen(next)}</Link>
        </>
      )}
    </Standing>
  );
}
