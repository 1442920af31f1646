import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionEndpoints } from '../../../shared/api/session-endpoints.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Form } from '../../components/form.tsx';
import { SecretField } from '../../components/form-fields.tsx';
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
  const fields = {
    ...{ form, required: true, maxLength: 128 },
    set: (changed: Partial<typeof form>) => setForm((now) => ({ ...now, ...changed })),
  };
  return (
    <Form className={classes.form} onSubmit={() => change.mutate()}>
      <SecretField {...fields} name="current" label="Current password" autoComplete="current-password" />
      <SecretField
        {...fields}
        name="next"
        label="New password"
        description="At least 12 characters"
        autoComplete="new-password"
        minLength={12}
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
    </Form>
  );
}
