import { useQuery } from '@tanstack/react-query';
import { limitsQuery, recentQuery } from '../../api/queries.ts';
import { PageHead } from '../../components/page-head.tsx';
import { RecentSection } from '../../components/recent-section.tsx';
import { describeMeasurements } from '../../format/measurement-line.ts';
import { FirstRun } from './first-run.tsx';
import { LaunchCard } from './launch-card.tsx';

export function LaunchPage() {
  const { data: runs } = useQuery(recentQuery('comparison', 5));
  const limits = useQuery(limitsQuery);
  return (
    <>
      <PageHead tab="Launch a run" title="What does HTTPS cost, compared with HTTP?">
        <p>
          Both are measured side by side on the same machine, in short turns of random order, next to a twin
          of the HTTP side that shows how much is only noise.
        </p>
      </PageHead>
      {runs?.length === 0 ? (
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
