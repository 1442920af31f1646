import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { scheduleEndpoints } from '../../../shared/api/schedule-endpoints.ts';
import { labelChoices } from '../../../shared/measurement/runner-labels.ts';
import type { NewSchedule } from '../../../shared/measurement/schedule.ts';
import { weekdays } from '../../../shared/measurement/schedule.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { rememberDeleteToken } from '../../api/delete-tokens.ts';
import { runnersQuery } from '../../api/runners-query.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { FieldRow } from '../../components/field-row.tsx';
import { SelectField, TextField } from '../../components/form-fields.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { blankRepeat, parseRepeat, type RepeatDraft } from './repeat-draft.ts';

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const rhythms = [
  { value: 'hour', label: 'Hour' },
  { value: 'night', label: 'Night' },
  { value: 'week', label: 'Week' },
];

export function RepeatForm({ id }: { id: string }) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(blankRepeat);
  const [tried, setTried] = useState(false);
  const runners = useQuery({ ...runnersQuery, refetchInterval: false }).data?.runners ?? [];
  const places = labelChoices(runners).flatMap(([name, values]) => values.map((value) => `${name}=${value}`));
  const parsed = parseRepeat(id, draft, zone);
  const errors = tried && 'errors' in parsed ? parsed.errors : [];
  const create = useMutation({
    mutationFn: (body: NewSchedule) => callEndpoint(scheduleEndpoints.createSchedule, { body }),
    async onSuccess({ schedule, deleteToken }) {
      rememberDeleteToken(schedule.id, deleteToken);
      await queryClient.invalidateQueries({ queryKey: ['schedules'] });
    },
  });
  const fields = {
    form: draft,
    set: (change: Partial<RepeatDraft>) => setDraft((current) => ({ ...current, ...change })),
    messages: (name: string) => errors.find(({ field }) => field.replace('rhythm.', '') === name)?.message,
  };
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if ('schedule' in parsed && !create.isPending) create.mutate(parsed.schedule);
      }}
    >
      <FieldRow>
        <SelectField {...fields} name="every" label="Every" data={rhythms} />
        {draft.every === 'week' ? (
          <SelectField {...fields} name="day" label="Day" data={[...weekdays]} />
        ) : null}
        {draft.every === 'hour' ? null : (
          <TextField {...fields} name="at" type="time" label={`Time (${zone})`} />
        )}
      </FieldRow>
      <FieldRow>
        <TextField
          {...fields}
          name="times"
          label="Number of measurements"
          placeholder="No limit"
          inputMode="numeric"
        />
        <TextField {...fields} name="lastDay" type="date" label="Last day" />
        {places.length === 0 ? null : (
          <SelectField
            {...fields}
            name="labels"
            label="Runner"
            data={[{ value: 'before', label: 'As for this result' }, { value: '', label: 'Any' }, ...places]}
          />
        )}
      </FieldRow>
      <ProblemNotice error={create.error} />
      <div>
        <ActionButton type="submit" pending={create.isPending}>
          Start repeating
        </ActionButton>
      </div>
    </form>
  );
}
