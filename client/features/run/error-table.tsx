import type { ErrorGroup, RequestOutcome } from '../../../shared/base/outcome.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { transportFacts } from '../../../shared/base/transport.ts';
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

/** Errors that are alike, in one line with their count. */
export function ErrorTable({ groups }: { groups: readonly ErrorGroup[] }) {
  return (
    <DataTable
      caption="Errors by kind"
      testId="error-groups"
      rows={groups}
      keyOf={({ transport, step, outcome, detail }) => [transport, step, outcome, detail].join()}
      columns={[
        { label: 'Kind', cell: ({ outcome }) => words[outcome] },
        { label: 'Side', cell: ({ transport }) => transportFacts[transport].name },
        { label: 'Step', cell: ({ step }) => step ?? 'connecting' },
        { label: 'What happened', cell: ({ detail }) => detail },
        { label: 'Count', numeric: true, cell: ({ count }) => printNumber(count, 0) },
      ]}
    />
  );
}
