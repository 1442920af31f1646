import { useMutation, useQueryClient } from '@tanstack/react-query';
import { scheduleEndpoints } from '../../../shared/api/schedule-endpoints.ts';
import type { Schedule } from '../../../shared/measurement/schedule.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { mayCall } from '../../api/identity.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ButtonRow } from '../../components/button-row.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { LinkItem } from '../../components/link-list.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { lastProblem, lookOfSchedule, scheduleDetails } from '../../format/schedule-line.ts';

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
