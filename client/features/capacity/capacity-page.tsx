import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useSearchParams } from 'react-router';
import { capacityQuery } from '../../api/capacity-query.ts';
import { Card } from '../../components/card.tsx';
import { LabTabs } from '../../components/lab-tabs.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { type CapacityForm, formOfQuery, parseForm, queryOf } from './capacity-form.ts';
import { CapacityResult } from './capacity-result.tsx';
import { FigureFields } from './figure-fields.tsx';
import { LoadFields } from './load-fields.tsx';
import { useMeasurements } from './use-measurements.ts';

export default function CapacityPage() {
  const known = useMeasurements();
  return (
    <>
      <PageHead tab="Capacity" title="How many cores do you need?" above={<LabTabs />}>
        <p>With and without TLS. To share a plan, copy its address.</p>
      </PageHead>
      {known === null ? <Waiting>Loading measurements</Waiting> : <Planner {...known} />}
    </>
  );
}

function Planner({ measurements, newest }: NonNullable<ReturnType<typeof useMeasurements>>) {
  const [query, setQuery] = useSearchParams();
  const form = formOfQuery(query);
  const set = (change: CapacityForm) =>
    setQuery(queryOf({ ...form, ...change }), { replace: true, preventScrollReset: true });
  const { request, messages } = parseForm(form, newest);
  const capacity = useQuery({
    ...capacityQuery(useDeferredValue(request)),
    placeholderData: keepPreviousData,
  });
  const fields = { form, set, messages };
  return (
    <>
      <Card>
        <form className="stack wide" noValidate onSubmit={(event) => event.preventDefault()}>
          <LoadFields {...fields} />
          <FigureFields {...fields} measurements={measurements} />
        </form>
      </Card>
      <ProblemNotice error={capacity.error} />
      {capacity.data === undefined || capacity.error !== null ? null : (
        <CapacityResult report={capacity.data} />
      )}
    </>
  );
}
