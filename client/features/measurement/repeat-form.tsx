import { NativeSelect, TextInput } from '@mantine/core';
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
import { ProblemNotice } from '../../components/problem-notice.tsx';
import classes from './annotation-form.module.css';
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
  const field = (name: keyof RepeatDraft, path: string) => ({
    value: draft[name],
    error: errors.find((each) => each.field === path)?.message ?? null,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      const { value } = currentTarget;
      setDraft((current) => ({ ...current, [name]: value }));
    },
  });
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if ('schedule' in parsed && !create.isPending) create.mutate(parsed.schedule);
      }}
    >
      <FieldRow>
        <NativeSelect label="Every" data={rhythms} {...field('every', 'rhythm.every')} />
        {draft.every === 'week' ? (
          <NativeSelect label="Day" data={[...weekdays]} {...field('day', 'rhythm.day')} />
        ) : null}
        {draft.every === 'hour' ? null : (
          <TextInput type="time" label={`Time (${zone})`} {...field('at', 'rhythm.at')} />
        )}
      </FieldRow>
      <FieldRow>
        <TextInput
          label="Number of measurements"
          placeholder="No limit"
          inputMode="numeric"
          {...field('times', 'times')}
        />
        <TextInput type="date" label="Last day" {...field('lastDay', 'lastDay')} />
        {places.length === 0 ? null : (
          <NativeSelect
            label="Runner"
            data={[{ value: 'before', label: 'As for this result' }, { value: '', label: 'Any' }, ...places]}
            {...field('labels', 'labels')}
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
