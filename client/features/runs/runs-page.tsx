import { NativeSelect, TextInput } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { Link, useSearchParams } from 'react-router';
import { type RunState, runStateSchema } from '../../../shared/run.ts';
import { runListQuery } from '../../api/queries.ts';
import { troubleOf } from '../../api/trouble.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Card } from '../../components/card.tsx';
import { LinkList } from '../../components/link-list.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { TroubleNotice } from '../../components/trouble-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { lookOfState } from '../../format/outcome.ts';
import { describeRun } from '../../format/run-line.ts';
import classes from './runs-page.module.css';

/** Every run of this server, newest first; the filter lives in the address. */
export default function RunsPage() {
  const [query, setQuery] = useSearchParams();
  const q = query.get('q') ?? '';
  const state = readState(query.get('state'));
  const list = useInfiniteQuery({
    ...runListQuery({ q: useDeferredValue(q), state }),
    placeholderData: keepPreviousData,
  });
  const now = Date.now();
  const lines = list.data?.pages.flatMap(({ runs }) => runs.map((run) => describeRun(run, now)));

  function filter(change: { q?: string; state?: string }) {
    const next = { q, state, ...change };
    setQuery(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== '')), { replace: true });
  }

  return (
    <>
      <PageHead tab="Runs" title="Runs" />
      <search className={classes.filter}>
        <TextInput
          label="Search"
          placeholder="Scenario, target or id"
          value={q}
          maxLength={100}
          onChange={(event) => filter({ q: event.currentTarget.value })}
        />
        <NativeSelect
          label="State"
          value={state}
          onChange={(event) => filter({ state: event.currentTarget.value })}
          data={[
            { value: '', label: 'Any' },
            ...runStateSchema.options.map((value) => ({ value, label: lookOfState(value).word })),
          ]}
        />
      </search>
      {list.error === null ? null : <TroubleNotice trouble={troubleOf(list.error)} />}
      {list.isPending ? <Waiting>Reading the runs</Waiting> : null}
      {lines === undefined ? null : lines.length === 0 ? (
        <Empty filtered={q !== '' || state !== ''} />
      ) : (
        <Card flush>
          <LinkList label="Runs" lines={lines} />
        </Card>
      )}
      {list.hasNextPage ? (
        <div className={classes.more}>
          <ActionButton
            variant="default"
            pending={list.isFetchingNextPage}
            onClick={() => list.fetchNextPage()}
          >
            Older runs
          </ActionButton>
        </div>
      ) : null}
    </>
  );
}

function Empty({ filtered }: { filtered: boolean }) {
  return (
    <Card>
      {filtered ? (
        <p>No run matches. Clear the search or choose another state.</p>
      ) : (
        <p>
          Nothing was measured here yet. <Link to="/">Launch the first run</Link>.
        </p>
      )}
    </Card>
  );
}

function readState(text: string | null): RunState | '' {
  return runStateSchema.safeParse(text).data ?? '';
}
