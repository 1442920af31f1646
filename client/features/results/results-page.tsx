import { NativeSelect, TextInput } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { dryRunEndpoints } from '../../../shared/api/question-endpoints.ts';
import { recordingEndpoints } from '../../../shared/api/scenario-endpoints.ts';
import { printChange } from '../../../shared/base/quantity.ts';
import type { QuestionLine } from '../../../shared/results/summary.ts';
import type { OpenRecording as OpenRecordingAnswer } from '../../../shared/scenario/recorder.ts';
import { mayCall } from '../../api/identity.ts';
import { callEndpoint } from '../../api/late-call.ts';
import { choicesQuery, questionsQuery, underWayQuery } from '../../api/queries.ts';
import { schedulesQuery } from '../../api/result-queries.ts';
import { ActionButton, PageHead, Waiting } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Card } from '../../components/card.tsx';
import { DeleteDialog } from '../../components/dialog.tsx';
import { ListEnd, SelectionBar } from '../../components/links.tsx';
import { QuestionTable } from '../../components/question-table.tsx';
import { printAgo, printClock, printCount, printWhen } from '../../format/printed-figures.ts';
import { kindsWithCounts } from '../../format/progress-text.ts';
import { sidesOf } from '../../format/sides.ts';
import { reportProblems, SaveReport } from './result-line.tsx';
import classes from './results.module.css';

const pageSize = 20;

/** Questions that were asked, each once with the findings of all its runs; the search words are in the address. */
export default function ResultsPage() {
  const [query, setQuery] = useSearchParams();
  const q = query.get('q') ?? '';
  const list = useInfiniteQuery({
    ...questionsQuery(useDeferredValue(q), pageSize),
    placeholderData: keepPreviousData,
  });
  const lines = list.data?.pages.flatMap(({ questions }) => questions);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const newest = newestOf(selected, lines ?? []);
  const toggle = (id: string) =>
    setSelected(selected.includes(id) ? selected.filter((each) => each !== id) : [...selected, id]);
  return (
    <>
      <PageHead tab="Results" title="Results" />
      <StandingCards questions={lines ?? []} />
      <search className={classes.filter}>
        <TextInput
          label="Search"
          placeholder="Title, note, tag, target, scenario, or ID"
          maxLength={100}
          value={q}
          onChange={({ currentTarget: { value } }) =>
            setQuery(value === '' ? {} : { q: value }, { replace: true })
          }
        />
        <KindSelect />
      </search>
      <ProblemNotice error={list.error} />
      {list.isPending ? <Waiting>Loading results</Waiting> : null}
      {lines === undefined ? null : lines.length === 0 ? (
        <Card>
          {q === '' ? (
            <p>
              No run has finished yet. <Link to="/">Start the first run</Link>, or see{' '}
              <Link to="/examples">examples</Link>.
            </p>
          ) : (
            <p>
              No question matches. <Link to="/results">Show all</Link>.
            </p>
          )}
        </Card>
      ) : (
        <Card flush>
          <QuestionTable label="Questions" lines={lines} selection={{ selected, onSelect: toggle }} />
        </Card>
      )}
      {selected.length === 0 ? null : (
        <SelectionBar
          count={newest.length}
          what="question"
          hints={reportProblems(newest.length)}
          onClear={() => setSelected([])}
        >
          <SaveReport ids={newest} />
        </SelectionBar>
      )}
      <ListEnd list={list}>
        <Link to="/runs">Every run</Link>
        <Link to="/runs/schedules">Schedules</Link>
        <Link to="/runners">Runners</Link>
        <Link to="/sql">SQL</Link>
        <Link to="/runs/bin">Bin</Link>
      </ListEnd>
    </>
  );
}

/** The newest run of each question, which says what all of its runs found. */
function newestOf(selected: readonly string[], lines: readonly QuestionLine[]): string[] {
  return selected.flatMap((id) => lines.find((line) => line.id === id)?.newest.id ?? []);
}

/** Which measurements to see. Comparisons are shown by their questions, all others in the list. */
export function KindSelect() {
  const { data: choices } = useQuery(choicesQuery);
  const navigate = useNavigate();
  return (
    <NativeSelect
      label="Kind"
      value="comparison"
      onChange={({ currentTarget: { value } }) => navigate(`/runs?kind=${value}`)}
      data={kindsWithCounts(choices?.kinds ?? [])}
    />
  );
}

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
  const dryRun = useOpenDryRun();
  const { data: waiting = [] } = useQuery(underWayQuery('queued'));
  const [first] = running;
  const [next] = waiting.toSorted((a, b) => (a.queuePosition ?? 0) - (b.queuePosition ?? 0));
  return (
    <>
      <Standing
        title="Running"
        value={running.length + (recording.open === null && dryRun.open === null ? 0 : 1)}
      >
        {recording.open !== null ? (
          <OpenRecording {...recording} open={recording.open} />
        ) : dryRun.open !== null ? (
          <OpenDryRun startedAt={dryRun.open.startedAt} end={dryRun.end} />
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

/** A recording occupies the machine, so its user sees it here, and an admin can end another person's. */
function OpenRecording({ open: { startedAt, url }, end }: OpenRecordingProps) {
  const isOwn = url !== null;
  const [asking, setAsking] = useState(false);
  return (
    <>
      {isOwn ? 'Your recording' : 'A recording'} from {printClock(startedAt)} is open:{' '}
      {isOwn ? (
        <>
          <Link to={url}>continue</Link> or{' '}
        </>
      ) : null}
      <ActionButton
        size="compact-sm"
        variant="subtle"
        blocked={end.isPending}
        onClick={() => setAsking(true)}
      >
        {isOwn ? 'discard' : 'End it'}
      </ActionButton>
      <DeleteDialog
        what={isOwn ? 'your recording' : 'this recording'}
        action="Discard"
        onDelete={() => end.mutateAsync()}
        open={asking}
        onClose={() => setAsking(false)}
      >
        Its actions and requests are lost. This cannot be undone.
      </DeleteDialog>
    </>
  );
}

/** A dry run occupies the machine like a recording, but loses nothing when it ends. */
function useOpenDryRun() {
  const { data, refetch } = useQuery({
    queryKey: ['dry-runs', 'open'],
    queryFn: ({ signal }) => callEndpoint(dryRunEndpoints.openDryRun, { signal }),
    enabled: mayCall(dryRunEndpoints.openDryRun),
    staleTime: 0,
    refetchInterval: 5_000,
  });
  const end = useMutation({
    mutationFn: () => callEndpoint(dryRunEndpoints.endDryRun, {}),
    onSettled: () => refetch(),
  });
  return { open: data?.open ?? null, end };
}

function OpenDryRun({ startedAt, end }: { startedAt: number; end: ReturnType<typeof useOpenDryRun>['end'] }) {
  return (
    <>
      A dry run from {printClock(startedAt)} is using the machine:{' '}
      <ActionButton size="compact-sm" variant="subtle" blocked={end.isPending} onClick={() => end.mutate()}>
        End it
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
