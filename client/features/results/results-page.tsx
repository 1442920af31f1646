import { NativeSelect, TextInput } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { printChange } from '../../../shared/base/quantity.ts';
import { changesPath } from '../../../shared/kinds/comparison/result-changes.ts';
import type { QuestionLine } from '../../../shared/results/summary.ts';
import { choicesQuery, questionsQuery, underWayQuery } from '../../api/queries.ts';
import { schedulesQuery } from '../../api/result-queries.ts';
import { ActionButton, PageHead, Waiting } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Card } from '../../components/card.tsx';
import { FirstRun, LinkButton, ListEnd, SelectionBar } from '../../components/links.tsx';
import { QuestionTable } from '../../components/question-table.tsx';
import { printAgo, printCount, printWhen } from '../../format/printed-figures.ts';
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
            <FirstRun>No run has finished yet.</FirstRun>
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
        <Selected ids={selected} lines={lines ?? []} onClear={() => setSelected([])} />
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

type SelectedProps = { ids: readonly string[]; lines: readonly QuestionLine[]; onClear: () => void };

/** Two runs are compared, the older one first. A question is its newest run, which pools the others. */
function Selected({ ids, lines, onClear }: SelectedProps) {
  const runs = lines
    .flatMap(({ newest, trend }) => [newest, ...trend.filter(({ id }) => id !== newest.id)])
    .filter(({ id }) => ids.includes(id))
    .toSorted((a, b) => a.createdAt - b.createdAt);
  const [from, to] = runs;
  const pair =
    ids.length === 2 && from !== undefined && to !== undefined ? { from: from.id, to: to.id } : null;
  return (
    <SelectionBar
      count={ids.length}
      what="run"
      hints={[...(pair === null ? ['To compare, select two.'] : []), ...reportProblems(ids.length)]}
      onClear={onClear}
    >
      {pair === null ? (
        <ActionButton blocked>Compare</ActionButton>
      ) : (
        <LinkButton to={changesPath(pair)} variant="filled">
          Compare
        </LinkButton>
      )}
      <SaveReport ids={ids} />
    </SelectionBar>
  );
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

/** How things stand: what is measured, what waits, which levels changed this week, and what is repeated; zeros are left out. */
function StandingCards({ questions }: { questions: readonly QuestionLine[] }) {
  return (
    <ul className={classes.cards} aria-label="How things stand">
      <UnderWay />
      <Steps questions={questions} />
      <Schedules />
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
  const { data: waiting = [] } = useQuery(underWayQuery('queued'));
  const [first] = running;
  const [next] = waiting.toSorted((a, b) => (a.queuePosition ?? 0) - (b.queuePosition ?? 0));
  return (
    <>
      {first === undefined ? null : (
        <Standing title="Running" value={running.length}>
          <Link to={first.url}>{first.title}</Link>, asked for {printAgo(first.createdAt, Date.now())}
        </Standing>
      )}
      {next === undefined ? null : (
        <Standing title="Waiting" value={waiting.length}>
          Next: <Link to={next.url}>{next.title}</Link>
        </Standing>
      )}
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
  if (step === undefined) return null;
  return (
    <Standing title="Levels that changed this week" value={steps.length}>
      <Link to={step.url}>{sidesOf(step.newest.sides).comparison.label}</Link> on {step.newest.target}:{' '}
      {printChange(step.change, 1)}
    </Standing>
  );
}

function Schedules() {
  const { data: schedules = [] } = useQuery(schedulesQuery());
  const on = schedules.filter(({ state }) => state === 'on');
  const failed = on.filter(({ last }) => last?.problem != null);
  const [next] = on.flatMap(({ nextAt }) => nextAt ?? []).toSorted((a, b) => a - b);
  if (on.length === 0) return null;
  return (
    <Standing title="Schedules" value={on.length}>
      {failed.length > 0 ? (
        <Link to="/runs/schedules">{printCount(failed.length, 'schedule')} failed</Link>
      ) : next === undefined ? (
        'None is due'
      ) : (
        <>
          Next <Link to="/runs/schedules">on {printWhen(next)}</Link>
        </>
      )}
    </Standing>
  );
}
