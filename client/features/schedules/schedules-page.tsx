import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { schedulesQuery } from '../../api/schedules-query.ts';
import { Answer } from '../../components/answer.tsx';
import { Card } from '../../components/card.tsx';
import { LinkRows } from '../../components/link-list.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ScheduleLine } from './schedule-line.tsx';

/** Repeated measurements; the one that is due next comes first. */
export default function SchedulesPage() {
  return (
    <>
      <PageHead tab="Schedules" title="Schedules">
        <p id="schedules-lead">
          Measurements that are repeated while this server runs. <Link to="/runs">All results</Link>
        </p>
      </PageHead>
      <Answer of={useQuery(schedulesQuery())} waiting="Loading schedules">
        {(schedules) => (
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
      </Answer>
    </>
  );
}
