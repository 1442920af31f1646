import { useMutation, useQueryClient } from '@tanstack/react-query';
import { passkeyEndpoints } from '../../../shared/api/passkey-endpoints.ts';
import type { Passkey } from '../../../shared/passkey.ts';
import { accountQuery } from '../../api/account-query.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { addPasskey, passkeyTrouble } from '../../api/passkeys.ts';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { Section } from '../../components/section.tsx';
import { TroubleNotice } from '../../components/trouble-notice.tsx';
import { printWhen } from '../../format/when.ts';
import { AddPasskey } from './add-passkey.tsx';

/** What the reader signs in with instead of a password. */
export function PasskeysSection({ passkeys }: { passkeys: readonly Passkey[] }) {
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: accountQuery.queryKey });
  const add = useMutation({ mutationFn: addPasskey, onSettled });
  const remove = useMutation({
    mutationFn: (id: string) => callEndpoint(passkeyEndpoints.removePasskey, { params: { id } }),
    onSettled,
  });
  return (
    <Section id="passkeys" title="Passkeys" lead="Sign in with your device or a security key.">
      {add.error === null ? null : <TroubleNotice trouble={passkeyTrouble(add.error)} />}
      {passkeys.length === 0 ? null : (
        <Card flush>
          <DataTable
            caption="Passkeys"
            rows={passkeys}
            keyOf={({ id }) => id}
            columns={[
              { label: 'Name', cell: ({ name }) => name },
              { label: 'Added', cell: ({ createdAt }) => printWhen(createdAt) },
              { label: 'Last used', cell: ({ usedAt }) => (usedAt === null ? 'Never' : printWhen(usedAt)) },
              {
                label: 'Passkey',
                cell: ({ id, name }) => (
                  <DeleteButton
                    small
                    what={`the passkey ${name}`}
                    action="Delete"
                    onDelete={() => remove.mutateAsync(id)}
                  >
                    You can no longer sign in with it. Delete it on your device, too.
                  </DeleteButton>
                ),
              },
            ]}
          />
        </Card>
      )}
      <Card>
        <AddPasskey pending={add.isPending} onAdd={(name) => add.mutateAsync(name)} />
      </Card>
    </Section>
  );
}
