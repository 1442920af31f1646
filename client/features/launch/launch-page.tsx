import { useQuery } from '@tanstack/react-query';
import { limitsQuery, recentRunsQuery } from '../../api/queries.ts';
import { PageHead } from '../../components/page-head.tsx';
import { FirstRun } from './first-run.tsx';
import { LaunchCard } from './launch-card.tsx';
import { RecentRuns } from './recent-runs.tsx';

export function LaunchPage() {
  const recent = useQuery(recentRunsQuery);
  const limits = useQuery(limitsQuery);
  const runs = recent.data?.runs;
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
      {runs === undefined || runs.length === 0 ? null : <RecentRuns runs={runs} />}
    </>
  );
}
