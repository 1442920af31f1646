import type { RequestOutcome } from '../../../shared/base/outcome.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { SideError } from '../../../shared/kinds/comparison/side-error.ts';
import { DataTable } from '../../components/data-table.tsx';

const words: Record<RequestOutcome, string> = {
  ok: 'Fine',
  unexpected_status: 'Unexpected status',
  connection_refused: 'Connection refused',
  connection_reset: 'Connection reset',
  connection_closed_early: 'Closed too early',
  connect_failed: 'Could not connect',
  timed_out: 'Timed out',
  malformed_response: 'Malformed response',
  body_too_short: 'Body too short',
  body_too_long: 'Body too long',
  check_failed: 'A check failed',
  extraction_failed: 'A variable was not found',
  tls_failed: 'TLS failed',
  tls_changed: 'TLS changed',
};

export function ErrorTable({ groups }: { groups: readonly SideError[] }) {
  return (
    <DataTable
      caption="Errors by kind"
      text
      testId="error-groups"
      rows={groups}
      keyOf={({ side, step, outcome, detail }) => [side, step, outcome, detail].join()}
      columns={[
        { label: 'Kind', cell: ({ outcome }) => words[outcome] },
        { label: 'Side', cell: ({ name }) => name },
        { label: 'Step', cell: ({ step }) => step ?? 'connecting' },
        { label: 'What happened', cell: ({ detail }) => detail },
        { label: 'Count', numeric: true, cell: ({ count }) => printNumber(count, 0) },
      ]}
    />
  );
}
