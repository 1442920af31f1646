import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { scheduleEndpoints } from '../../../shared/api/housekeeping-endpoints.ts';
import type { Schedule } from '../../../shared/results/schedule.ts';
import { mayCall } from '../../api/identity.ts';
import { callEndpoint } from '../../api/late-call.ts';
import { schedulesQuery } from '../../api/result-queries.ts';
import { ActionButton, ButtonRow, PageHead } from '../../components/action-button.tsx';
import { Answer, ProblemNotice } from '../../components/answer.tsx';
import { Card } from '../../components/card.tsx';
import { DeleteButton } from '../../components/dialog.tsx';
import { LinkButton, LinkItem, LinkRows } from '../../components/links.tsx';
import { lastProblem, lookOfSchedule, scheduleDetails } from '../../format/schedule-line.ts';

/** Repeated measurements; the one that is due next comes first. */
export default function SchedulesPage() {
  return (
    <>
      <PageHead tab="Schedules" title="Schedules">
        <p id="schedules-lead">
          Runs that are repeated while this server runs. <Link to="/runs">All results</Link>
        </p>
      </PageHead>
      <Answer of={useQuery(schedulesQuery())} waiting="Loading schedules">
        {(schedules) => (
          <Card flush={schedules.length > 0}>
            {schedules.length === 0 ? (
              <>
                <p>
                  Nothing is repeated. Open a result and choose how often under <strong>Repeat</strong>.
                </p>
                <LinkButton to="/results" variant="filled">
                  Choose a result
                </LinkButton>
              </>
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

/** Leads to its newest result, once it has one. */
export function ScheduleLine({ schedule }: { schedule: Schedule }) {
  const { id, title, last, state } = schedule;
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['schedules'] });
  const next = state === 'on' ? 'paused' : 'on';
  const change = useMutation({
    mutationFn: () =>
      callEndpoint(scheduleEndpoints.changeSchedule, { params: { id }, body: { state: next } }),
    onSuccess: refresh,
  });
  const remove = () => callEndpoint(scheduleEndpoints.deleteSchedule, { params: { id } }).then(refresh);
  const newest = last?.measurement ?? null;
  const problem = lastProblem(schedule);
  return (
    <LinkItem
      line={{
        href: newest?.url ?? '',
        title,
        detail: scheduleDetails(schedule).join(' · '),
        look: lookOfSchedule(schedule),
      }}
      {...(newest === null && { instead: <strong dir="auto">{title}</strong> })}
      below={
        <>
          {problem === null ? null : <p>{problem}</p>}
          <ProblemNotice error={change.error} />
          {mayCall(scheduleEndpoints.changeSchedule) ? (
            <ButtonRow>
              {state === 'ended' ? null : (
                <ActionButton
                  variant="default"
                  size="compact-sm"
                  aria-label={`${state === 'on' ? 'Pause' : 'Turn on'} ${title}`}
                  pending={change.isPending}
                  onClick={() => change.mutate()}
                >
                  {state === 'on' ? 'Pause' : 'Turn on'}
                </ActionButton>
              )}
              <DeleteButton small what={`the schedule of “${title}”`} action="Delete" onDelete={remove}>
                Its results stay.
              </DeleteButton>
            </ButtonRow>
          ) : null}
        </>
      }
    />
  );
}
