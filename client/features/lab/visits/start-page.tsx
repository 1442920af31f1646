import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { problem } from '../../../../shared/base/problem.ts';
import { measurementQuery } from '../../../api/result-queries.ts';
import { LabTabs } from '../../../components/lab-tabs.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { RecentOfKinds } from '../../../components/recent-of-kinds.tsx';
import { Waiting } from '../../../components/waiting.tsx';
import { VisitsCard } from './visits-card.tsx';
import { emptyVisitsForm, formOfVisits } from './visits-form.ts';

export default function VisitsPage() {
  const again = useSearchParams()[0].get('again');
  return (
    <>
      <PageHead tab="Visits" title="What does a visitor wait for?" above={<LabTabs />} />
      {again === null ? <VisitsCard initial={emptyVisitsForm} /> : <CardAgain id={again} />}
      <RecentOfKinds kinds={['visits']} />
    </>
  );
}

/** Filled with what an earlier measurement was asked for with. */
function CardAgain({ id }: { id: string }) {
  const { data } = useQuery({ ...measurementQuery(id), throwOnError: true });
  if (data === undefined) return <Waiting>Filling the form</Waiting>;
  if (data.kind !== 'visits') throw problem('run_not_found', 'That measurement has no visits.');
  return <VisitsCard key={id} initial={formOfVisits(data)} />;
}
