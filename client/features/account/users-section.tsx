import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { teamEndpoints } from '../../../shared/api/session-endpoints.ts';
import { type Role, roles, roleWords } from '../../../shared/team/role.ts';
import type { CreatedUser, User } from '../../../shared/team/team.ts';
import { identity } from '../../api/identity.ts';
import { callEndpoint } from '../../api/late-call.ts';
import { usersQuery } from '../../api/result-queries.ts';
import { ActionButton, ButtonRow, CopyButton } from '../../components/action-button.tsx';
import { Answer, ProblemNotice } from '../../components/answer.tsx';
import { Card, Notice, Section } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DeleteButton } from '../../components/dialog.tsx';
import { Form, SelectField, SwitchLine, TextField } from '../../components/form-fields.tsx';
import classes from './account.module.css';

type Props = {
  action: string;
  pending: boolean;
  onAdd: () => Promise<unknown>;
  /** Why it failed is shown elsewhere, and what was typed stays. */
  onAdded: () => void;
  children: ReactNode;
};

/** Fields, and the button that adds what they say. */
export function AddForm({ action, pending, onAdd, onAdded, children }: Props) {
  return (
    <Form className={classes.form} onSubmit={() => onAdd().then(onAdded, () => undefined)}>
      {children}
      <div>
        <ActionButton type="submit" pending={pending}>
          {action}
        </ActionButton>
      </div>
    </Form>
  );
}

/** Everybody who may sign in. A password that was made is shown until the next one or the end of the page. */
export function UsersSection() {
  const queryClient = useQueryClient();
  const users = useQuery(usersQuery);
  const readAgain = () => queryClient.invalidateQueries({ queryKey: usersQuery.queryKey });
  const act = useMutation({
    mutationFn: (action: () => Promise<CreatedUser | null>) => action(),
    onSettled: readAgain,
  });
  const made = act.data ?? null;
  return (
    <Section id="users" title="Users" lead="Who may sign in to this server, and what they may do.">
      <ProblemNotice error={act.error} />
      {made === null || made.password === null ? null : (
        <ShownOnce
          title={`Password of ${made.email}`}
          advice="Send it over a secure channel."
          secret={made.password}
          copy="Copy password"
        />
      )}
      <Answer of={users} waiting="Loading users">
        {(known) => (
          <UserTable
            users={known}
            onRole={({ id }, role) =>
              act.mutate(() =>
                callEndpoint(teamEndpoints.changeUser, { params: { id }, body: { role } }).then(() => null),
              )
            }
            onPassword={({ id }) =>
              act.mutate(() => callEndpoint(teamEndpoints.resetPassword, { params: { id } }))
            }
            onDelete={({ id }) =>
              act.mutateAsync(() =>
                callEndpoint(teamEndpoints.deleteUser, { params: { id } }).then(() => null),
              )
            }
          />
        )}
      </Answer>
      <Card>
        <AddUser
          provider={identity?.ways.provider ?? null}
          pending={act.isPending}
          onAdd={(body) => act.mutateAsync(() => callEndpoint(teamEndpoints.createUser, { body }))}
        />
      </Card>
    </Section>
  );
}

type SectionForm = { email: string; role: Role; password: boolean };

type SectionProps = {
  /** Name of the identity provider; null for none. */
  provider: string | null;
  pending: boolean;
  onAdd: (user: SectionForm) => Promise<unknown>;
};

function AddUser({ provider, pending, onAdd }: SectionProps) {
  const [form, setForm] = useState<SectionForm>({ email: '', role: 'reader', password: provider === null });
  const set = (change: Partial<SectionForm>) => setForm((now) => ({ ...now, ...change }));
  return (
    <AddForm action="Add user" pending={pending} onAdd={() => onAdd(form)} onAdded={() => set({ email: '' })}>
      <TextField
        form={form}
        set={set}
        name="email"
        label="Email address"
        type="email"
        required
        maxLength={254}
      />
      <SelectField
        form={form}
        set={set}
        name="role"
        label="Role"
        description={roleWords[form.role]}
        data={[...roles]}
      />
      {provider === null ? null : (
        <SwitchLine
          label="Make a password"
          detail={`Without one, they sign in with ${provider}.`}
          checked={form.password}
          onChange={(password) => set({ password })}
        />
      )}
    </AddForm>
  );
}

type TableProps = {
  users: readonly User[];
  onRole: (user: User, role: Role) => void;
  onPassword: (user: User) => void;
  onDelete: (user: User) => Promise<unknown>;
};

function UserTable({ users, onRole, onPassword, onDelete }: TableProps) {
  return (
    <Card flush>
      <DataTable
        caption="Users"
        text
        rows={users}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Email address', cell: ({ email }) => email },
          {
            label: 'Role',
            cell: (user) => (
              <NativeSelect
                size="xs"
                aria-label={`Role of ${user.email}`}
                value={user.role}
                onChange={(event) => onRole(user, event.currentTarget.value as Role)}
                data={[...roles]}
              />
            ),
          },
          {
            label: 'Account',
            cell: (user) => (
              <ButtonRow>
                <Button variant="default" size="compact-sm" onClick={() => onPassword(user)}>
                  Make new password
                </Button>
                <DeleteButton small what={user.email} action="Delete" onDelete={() => onDelete(user)}>
                  They are signed out everywhere, and their API keys stop working. What they measured stays.
                </DeleteButton>
              </ButtonRow>
            ),
          },
        ]}
      />
    </Card>
  );
}

type OnceProps = { title: string; advice: string; secret: string; copy: string };

/** The one time that a password or an API key is shown. */
export function ShownOnce({ title, advice, secret, copy }: OnceProps) {
  return (
    <Notice tone="note" title={title} announce="status">
      <p>It is shown only once. {advice}</p>
      <p className={classes.secret}>{secret}</p>
      <div>
        <CopyButton text={secret}>{copy}</CopyButton>
      </div>
    </Notice>
  );
}
