import { TextInput } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { QuestionLine } from '../../../shared/kinds/comparison/question-line.ts';
import { questionsQuery } from '../../api/question-queries.ts';
import { Card } from '../../components/card.tsx';
import { ListEnd } from '../../components/list-end.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { QuestionTable } from '../../components/question-table.tsx';
import { reportProblems, SaveReport } from '../../components/save-report.tsx';
import { SelectionBar } from '../../components/selection-bar.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { KindSelect } from './kind-select.tsx';
import classes from './results.module.css';
import { StandingCards } from './standing-cards.tsx';

const pageSize = 20;

/** What was asked, each question once with all that its runs say; the words to search for are in the address. */
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
              No run has finished yet. <Link to="/">Launch the first run</Link>, or see{' '}
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
        <Link to="/runs">Every measurement</Link>
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
