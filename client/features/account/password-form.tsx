import { PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionEndpoints } from '../../../shared/api/session-endpoints.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import classes from './account.module.css';

const empty = { current: '', next: '' };

export function PasswordForm() {
  const [form, setForm] = useState(empty);
  const change = useMutation({
    mutationFn: () => callEndpoint(sessionEndpoints.changePassword, { body: form }),
    onSuccess: () => setForm(empty),
  });
  const field = (name: keyof typeof form) => ({
    value: form[name],
    required: true,
    maxLength: 128,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setForm((now) => ({ ...now, [name]: value })),
  });
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isPending) change.mutate();
      }}
    >
      <PasswordInput label="Current password" autoComplete="current-password" {...field('current')} />
      <PasswordInput
        label="New password"
        description="At least 12 characters"
        autoComplete="new-password"
        minLength={12}
        {...field('next')}
      />
      <ProblemNotice error={change.error} />
      {change.isSuccess ? (
        <Notice tone="good" announce="status">
          <p>Your password was changed.</p>
        </Notice>
      ) : null}
      <div>
        <ActionButton type="submit" pending={change.isPending}>
          Change password
        </ActionButton>
      </div>
    </form>
  );
}
