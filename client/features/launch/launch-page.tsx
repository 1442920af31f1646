import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { useSearchParams } from 'react-router';
import { mayCall } from '../../api/identity.ts';
import { starting } from '../../api/late-endpoints.ts';
import { limitsQuery, recentQuery } from '../../api/queries.ts';
import { PageHead } from '../../components/page-head.tsx';
import { RecentSection } from '../../components/recent-section.tsx';
import { describeMeasurements } from '../../format/measurement-line.ts';
import { FirstRun } from './first-run.tsx';
import { LaunchCard } from './launch-card.tsx';
import { readBrought } from './read-brought.ts';

/** Reads whole results, which the form itself has no use for. */
const Intake = lazy(() => import('./intake.tsx'));

export function LaunchPage() {
  const [address] = useSearchParams();
  const brought = readBrought(address);
  if (brought !== null) return <Intake {...brought} />;
  return <Launch />;
}

function Launch() {
  const { data: runs } = useQuery(recentQuery('comparison', 5));
  const limits = useQuery(limitsQuery);
  return (
    <>
      <PageHead tab="Measure" title="What does HTTPS cost, compared with HTTP?" />
      {runs?.length === 0 && mayCall(starting) ? (
        <FirstRun quick={limits.data?.presets.find(({ preset }) => preset === 'quick')} />
      ) : null}
      <LaunchCard />
      <RecentSection
        title="Recent runs"
        lines={describeMeasurements(runs ?? [])}
        all={{ href: '/runs?kind=comparison', title: 'All runs' }}
      />
    </>
  );
}
