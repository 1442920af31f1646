import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { type MeasurementFilter, measurementListQuery } from '../../api/queries.ts';
import { schedulesQuery } from '../../api/schedules-query.ts';
import { useActOnBin } from '../../api/use-act-on-bin.ts';
import { Card } from '../../components/card.tsx';
import { ListEnd } from '../../components/list-end.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { printCount } from '../../format/count.ts';
import { printWhen } from '../../format/when.ts';
import { DeletedNotice } from './deleted-notice.tsx';
import { isFiltering, printFilter, readFilter } from './list-filter.ts';
import { ResultActions } from './result-actions.tsx';
import { ResultDays } from './result-days.tsx';
import { ResultFilter } from './result-filter.tsx';
import { refreshed, type Selection } from './selection.ts';

/** Every measurement of this server, newest first; the filter lives in the address. */
export default function RunsPage() {
  const [query, setQuery] = useSearchParams();
  const filter = readFilter(query);
  const list = useInfiniteQuery({
    ...measurementListQuery({ ...filter, q: useDeferredValue(filter.q) }),
    placeholderData: keepPreviousData,
  });
  const [selection, setSelection] = useState<Selection>(new Map());
  const bin = useActOnBin('binMeasurements');
  const found = list.data?.pages.flatMap(({ measurements }) => measurements);

  function change(part: Partial<MeasurementFilter>) {
    setQuery(printFilter({ ...filter, ...part }), { replace: true });
  }

  return (
    <>
      <PageHead tab="Every measurement" title="Every measurement">
        <Repeated />
      </PageHead>
      <ResultFilter filter={filter} onChange={change} />
      {bin.data === undefined ? null : <DeletedNotice outcome={bin.data} onRestored={bin.reset} />}
      <ProblemNotice error={list.error} />
      {list.isPending ? <Waiting>Loading results</Waiting> : null}
      {found === undefined ? null : found.length === 0 ? (
        <Empty filtered={isFiltering(filter)} />
      ) : (
        <ResultDays results={found} selection={selection} onSelect={setSelection} />
      )}
      <ListEnd list={list}>
        <Link to="/runs/schedules">Schedules</Link>
        <Link to="/runners">Runners</Link>
        <Link to="/runs/bin">Bin</Link>
      </ListEnd>
      {selection.size === 0 ? null : (
        <ResultActions
          selection={refreshed(selection, found ?? [])}
          onDelete={(ids) => bin.mutateAsync(ids, { onSuccess: () => setSelection(new Map()) })}
          onClear={() => setSelection(new Map())}
        />
      )}
    </>
  );
}

/** Nothing while nothing is repeated. */
function Repeated() {
  const { data: schedules = [] } = useQuery(schedulesQuery());
  const on = schedules.filter(({ state }) => state === 'on');
  const [next] = on.flatMap(({ nextAt }) => nextAt ?? []);
  if (next === undefined) return null;
  return (
    <p>
      {printCount(on.length, 'measurement')} {on.length === 1 ? 'is' : 'are'} repeated, next on{' '}
      {printWhen(next)}. <Link to="/runs/schedules">Schedules</Link>
    </p>
  );
}

function Empty({ filtered }: { filtered: boolean }) {
  return (
    <Card>
      {filtered ? (
        <p>
          No measurement matches. Change the filter, or <Link to="/runs">show all results</Link>.
        </p>
      ) : (
        <p>
          Nothing has been measured here yet. <Link to="/">Launch the first run</Link>, or see{' '}
          <Link to="/examples">examples</Link>.
        </p>
      )}
    </Card>
  );
}
