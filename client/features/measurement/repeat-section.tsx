import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { scheduleEndpoints } from '../../../shared/api/schedule-endpoints.ts';
import type { ShownMeasurement } from '../../../shared/measurement/shown-measurement.ts';
import { mayCall } from '../../api/identity.ts';
import { schedulesQuery } from '../../api/schedules-query.ts';
import { Card } from '../../components/card.tsx';
import { Fold } from '../../components/fold.tsx';
import { Notice } from '../../components/notice.tsx';
import { lookOfSchedule, rhythmInWords, scheduleDetails } from '../../format/schedule-line.ts';
import { RepeatForm } from './repeat-form.tsx';

export function RepeatSection({ document: { id }, noun }: { document: ShownMeasurement; noun: string }) {
  const { data: schedules = [] } = useQuery({
    ...schedulesQuery(id),
    enabled: mayCall(scheduleEndpoints.listSchedules),
  });
  if (!mayCall(scheduleEndpoints.createSchedule)) return null;
  const on = schedules.filter(({ state }) => state === 'on');
  const lead = on.length === 0 ? 'Every hour, night, or week' : on.map(rhythmInWords).join(', ');
  return (
    <Fold id="repeat" title="Repeat" lead={lead}>
      <Card stack>
        {schedules.length === 0 ? null : (
          <Notice tone="quiet" announce="status">
            {schedules.map((schedule) => (
              <p key={schedule.id}>
                {[lookOfSchedule(schedule).word, ...scheduleDetails(schedule)].join(' · ')}
              </p>
            ))}
            <p>
              Pause or delete them in <Link to="/runs/schedules">Schedules</Link>.
            </p>
          </Notice>
        )}
        <p>
          The same {noun} is measured again while this server runs.{' '}
          <Link to="/docs/guide#repeat">How repeating works</Link>
        </p>
        <RepeatForm id={id} />
      </Card>
    </Fold>
  );
}
