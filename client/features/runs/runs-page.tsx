import { NativeSelect, TextInput } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { Link, useSearchParams } from 'react-router';
import { kindNameSchema, kindNames, measurementStateSchema } from '../../../shared/measurement.ts';
import { type MeasurementFilter, measurementListQuery } from '../../api/queries.ts';
import { troubleOf } from '../../api/trouble.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Card } from '../../components/card.tsx';
import { LinkList } from '../../components/link-list.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ToggleChips } from '../../components/toggle-chips.tsx';
import { TroubleNotice } from '../../components/trouble-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { describeMeasurements, nameKind } from '../../format/measurement-line.ts';
import { lookOfState } from '../../format/outcome.ts';
import classes from './runs-page.module.css';

/** Every measurement of this server, newest first; the filter lives in the address. */
export default function RunsPage() {
  const [query, setQuery] = useSearchParams();
  const filter = readFilter(query);
  const list = useInfiniteQuery({
    ...measurementListQuery({ ...filter, q: useDeferredValue(filter.q) }),
    placeholderData: keepPreviousData,
  });
  const found = list.data?.pages.flatMap(({ measurements }) => measurements);

  function change(part: Partial<Record<keyof MeasurementFilter, string>>) {
    const next = Object.entries({ ...filter, ...part }).filter(([, value]) => value !== '');
    setQuery(Object.fromEntries(next), { replace: true });
  }

  return (
    <>
      <PageHead tab="Results" title="Results" />
      <search className={classes.filter}>
        <ToggleChips
          label="Kind"
          value={filter.kind}
          onChange={(kind) => change({ kind })}
          choices={[
            { value: '', label: 'All' },
            ...kindNames.map((kind) => ({ value: kind, label: nameKind(kind) })),
          ]}
        />
        <div className={classes.fields}>
          <TextInput
            label="Search"
            placeholder="Title or ID"
            value={filter.q}
            maxLength={100}
            onChange={(event) => change({ q: event.currentTarget.value })}
          />
          <NativeSelect
            label="State"
            value={filter.state}
            onChange={(event) => change({ state: event.currentTarget.value })}
            data={[
              { value: '', label: 'Any' },
              ...measurementStateSchema.options.map((value) => ({ value, label: lookOfState(value).word })),
            ]}
          />
        </div>
      </search>
      {list.error === null ? null : <TroubleNotice trouble={troubleOf(list.error)} />}
      {list.isPending ? <Waiting>Loading results</Waiting> : null}
      {found === undefined ? null : found.length === 0 ? (
        <Empty filtered={Object.values(filter).some((value) => value !== '')} />
      ) : (
        <Card flush>
          <LinkList label="Results" lines={describeMeasurements(found)} />
        </Card>
      )}
      {list.hasNextPage ? (
        <div className={classes.more}>
          <ActionButton
            variant="default"
            pending={list.isFetchingNextPage}
            onClick={() => list.fetchNextPage()}
          >
            Show older
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
        <p>No measurement matches. Clear the search, or choose another kind or state.</p>
      ) : (
        <p>
          Nothing has been measured here yet. <Link to="/">Launch the first run</Link>.
        </p>
      )}
    </Card>
  );
}

function readFilter(query: URLSearchParams): MeasurementFilter {
  return {
    kind: kindNameSchema.safeParse(query.get('kind')).data ?? '',
    state: measurementStateSchema.safeParse(query.get('state')).data ?? '',
    q: query.get('q') ?? '',
  };
}
