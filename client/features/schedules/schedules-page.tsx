import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { schedulesQuery } from '../../api/schedules-query.ts';
import { Card } from '../../components/card.tsx';
import { LinkRows } from '../../components/link-list.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { ScheduleLine } from './schedule-line.tsx';

/** Repeated measurements; the one that is due next comes first. */
export default function SchedulesPage() {
  const { data: schedules, error, isPending } = useQuery(schedulesQuery());
  return (
    <>
      <PageHead tab="Schedules" title="Schedules">
        <p id="schedules-lead">
          Measurements that are repeated while this server runs. <Link to="/runs">All results</Link>
        </p>
      </PageHead>
      <ProblemNotice error={error} />
      {isPending ? <Waiting>Loading schedules</Waiting> : null}
      {schedules === undefined ? null : (
        <Card flush={schedules.length > 0}>
          {schedules.length === 0 ? (
            <p>
              Nothing is repeated. Open a <Link to="/runs">result</Link> and choose how often under{' '}
              <strong>Repeat</strong>.
            </p>
          ) : (
            <LinkRows labelledBy="schedules-lead">
              {schedules.map((schedule) => (
                <ScheduleLine key={schedule.id} schedule={schedule} />
              ))}
            </LinkRows>
          )}
        </Card>
      )}
    </>
  );
}
