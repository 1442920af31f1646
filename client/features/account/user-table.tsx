import { Button, NativeSelect } from '@mantine/core';
import { type Role, roles } from '../../../shared/team/role.ts';
import type { User } from '../../../shared/team/team.ts';
import { ButtonRow } from '../../components/button-row.tsx';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';

type Props = {
  users: readonly User[];
  onRole: (user: User, role: Role) => void;
  onPassword: (user: User) => void;
  onDelete: (user: User) => Promise<unknown>;
};

export function UserTable({ users, onRole, onPassword, onDelete }: Props) {
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
