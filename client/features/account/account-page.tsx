import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { auditEndpoints } from '../../../shared/api/housekeeping-endpoints.ts';
import { keyEndpoints, sessionEndpoints, teamEndpoints } from '../../../shared/api/session-endpoints.ts';
import { type Role, reaches, roles, roleWords } from '../../../shared/team/role.ts';
import type { ApiKey } from '../../../shared/team/team.ts';
import { identity, mayCall } from '../../api/identity.ts';
import { callEndpoint } from '../../api/late-call.ts';
import { accountQuery, keysQuery } from '../../api/result-queries.ts';
import { ActionButton, PageHead } from '../../components/action-button.tsx';
import { Answer, ProblemNotice } from '../../components/answer.tsx';
import { Card, Notice, Section } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DeleteButton } from '../../components/dialog.tsx';
import { Form, SecretField, SelectField, TextField } from '../../components/form-fields.tsx';
import { printWhen } from '../../format/printed-figures.ts';
import classes from './account.module.css';
import { AddForm, ShownOnce, UsersSection } from './users-section.tsx';

/** The reader's own account, and for admins those of everybody. */
export default function AccountPage() {
  const actor = identity?.actor ?? null;
  if (actor === null) {
    return (
      <PageHead tab="Account" title="Account">
        <p>Nobody needs to sign in to this server.</p>
      </PageHead>
    );
  }
  return (
    <>
      <PageHead tab="Account" title="Account">
        <p className={classes.who}>
          You are signed in as {actor.name}, with the role {actor.role}.
        </p>
        {mayCall(auditEndpoints.listAudit) ? <Link to="/audit">Audit log</Link> : null}
      </PageHead>
      {mayCall(teamEndpoints.listUsers) ? <UsersSection /> : null}
      <KeysSection role={actor.role} />
      <OwnSignIn />
    </>
  );
}

/** The password of a reader who has one. */
function OwnSignIn() {
  return (
    <Answer of={useQuery(accountQuery)} waiting="Loading your account">
      {({ password }) =>
        password ? (
          <Section
            id="password"
            title="Password"
            lead="Changing it signs you out of every other browser."
            card
          >
            <PasswordForm />
          </Section>
        ) : null
      }
    </Answer>
  );
}

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

/** Keys for programs, up to the role of the reader. One that was made is shown until the next one or the end of the page. */
export function KeysSection({ role }: { role: Role }) {
  const queryClient = useQueryClient();
  const keys = useQuery(keysQuery);
  const readAgain = () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
  const add = useMutation({
    mutationFn: (body: KeyForm) => callEndpoint(keyEndpoints.createKey, { body }),
    onSettled: readAgain,
  });
  const lead = (
    <>
      CI jobs and scripts send a key instead of signing in.{' '}
      <Link to="/docs/ci#on-a-shared-server">How to use a key in a build</Link>
    </>
  );
  return (
    <Section id="keys" title="API keys" lead={lead}>
      <ProblemNotice error={add.error} />
      {add.data === undefined ? null : (
        <ShownOnce
          title={`API key ${add.data.name}`}
          advice="Store it where your CI keeps its secrets."
          secret={add.data.key}
          copy="Copy API key"
        />
      )}
      <Answer of={keys} waiting="Loading API keys">
        {(known) =>
          known.length === 0 ? null : (
            <KeyTable
              keys={known}
              ofEverybody={role === 'admin'}
              onDelete={({ id }) =>
                callEndpoint(keyEndpoints.deleteKey, { params: { id } }).finally(readAgain)
              }
            />
          )
        }
      </Answer>
      <Card>
        <AddKey most={role} pending={add.isPending} onAdd={(key) => add.mutateAsync(key)} />
      </Card>
    </Section>
  );
}

type Props = { keys: readonly ApiKey[]; ofEverybody: boolean; onDelete: (key: ApiKey) => Promise<unknown> };

export function KeyTable({ keys, ofEverybody, onDelete }: Props) {
  const user: Column<ApiKey> = { label: 'User', cell: (key) => key.user };
  return (
    <Card flush>
      <DataTable
        caption="API keys"
        text
        rows={keys}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Name', cell: ({ name }) => name },
          ...(ofEverybody ? [user] : []),
          { label: 'Role', cell: ({ role }) => role },
          {
            label: 'Expires',
            cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : printWhen(expiresAt)),
          },
          { label: 'Last used', cell: ({ usedAt }) => (usedAt === null ? 'Never' : printWhen(usedAt)) },
          {
            label: 'Key',
            cell: (key) => (
              <DeleteButton small what={`the key ${key.name}`} action="Delete" onDelete={() => onDelete(key)}>
                Programs that send this key will be refused.
              </DeleteButton>
            ),
          },
        ]}
      />
    </Card>
  );
}

export type KeyForm = { name: string; role: Role; days: number | null };

const lifetimes: Record<string, number | null> = {
  '30 days': 30,
  '90 days': 90,
  '1 year': 365,
  'No expiration': null,
};

type KeyProps = { most: Role; pending: boolean; onAdd: (key: KeyForm) => Promise<unknown> };

/** @param most the role of the reader */
export function AddKey({ most, pending, onAdd }: KeyProps) {
  const [form, setForm] = useState({
    ...{ name: '', lifetime: '90 days' },
    role: reaches(most, 'operator') ? 'operator' : most,
  });
  const { name, role, lifetime } = form;
  const fields = { form, set: (change: Partial<typeof form>) => setForm((now) => ({ ...now, ...change })) };
  return (
    <AddForm
      action="Create API key"
      pending={pending}
      onAdd={() => onAdd({ name, role, days: lifetimes[lifetime] ?? null })}
      onAdded={() => fields.set({ name: '' })}
    >
      <TextField
        {...fields}
        name="name"
        label="Key name"
        description="What will use the key, such as nightly build"
        required
        maxLength={60}
      />
      <SelectField
        {...fields}
        name="role"
        label="Role of the key"
        description={roleWords[role]}
        data={roles.filter((each) => reaches(most, each))}
      />
      <SelectField {...fields} name="lifetime" label="Expiration" data={Object.keys(lifetimes)} />
    </AddForm>
  );
}
