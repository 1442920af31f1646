import type { ApiKey } from '../../../shared/team/api-key.ts';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { printWhen } from '../../format/when.ts';

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
