import type { PermittedTarget } from '../../../shared/target/permitted-target.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { printBytes } from '../../format/bytes.ts';
import { printWhen } from '../../format/when.ts';

type Props = {
  targets: readonly PermittedTarget[];
  /** ID of the one that is being withdrawn. */
  pending: string | null;
  onWithdraw: (id: string) => void;
};

export function TargetTable({ targets, pending, onWithdraw }: Props) {
  const columns: Column<PermittedTarget>[] = [
    { label: 'Host', cell: ({ host }) => host },
    { label: 'Limits', cell: printCaps },
    { label: 'Allowed', cell: printAllowed },
    {
      label: 'Withdraw',
      cell: ({ id, host, from }) =>
        from === 'environment' ? (
          'Change TLS_TOLL_TARGETS'
        ) : (
          <ActionButton
            variant="default"
            size="compact-sm"
            aria-label={`Withdraw ${host}`}
            pending={pending === id}
            onClick={() => onWithdraw(id)}
          >
            Withdraw
          </ActionButton>
        ),
    },
  ];
  return <DataTable text caption="Allowed hosts" columns={columns} rows={targets} keyOf={({ id }) => id} />;
}

function printCaps({ caps }: PermittedTarget): string {
  const { requestsPerS, connections, minutes, bytes } = caps;
  return `${requestsPerS} requests/s, ${connections} connections, ${minutes} min, ${printBytes(bytes)} a run`;
}

function printAllowed({ by, at, why }: PermittedTarget): string {
  return at === null || by === null ? 'By TLS_TOLL_TARGETS' : `${by}, ${printWhen(at)}: ${why ?? ''}`;
}
