import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { auditEndpoints } from '../../../shared/api/audit-endpoints.ts';
import { permitEndpoints } from '../../../shared/api/permit-endpoints.ts';
import type { TargetAction, TargetEvent } from '../../../shared/target/permitted-target.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { mayCall } from '../../api/identity.ts';
import { targetsQuery } from '../../api/targets-query.ts';
import { Answer } from '../../components/answer.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { StopButton } from '../../components/stop-button.tsx';
import { printWhen } from '../../format/when.ts';
import { AllowForm } from './allow-form.tsx';
import { TargetTable } from './target-table.tsx';

/** Other hosts that may be loaded: who allowed them, why, and how much they take. */
export default function TargetsPage() {
  const queryClient = useQueryClient();
  const list = useQuery(targetsQuery);
  const withdraw = useMutation({
    mutationFn: (id: string) => callEndpoint(permitEndpoints.withdrawTarget, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries(targetsQuery),
  });
  return (
    <>
      <PageHead tab="Targets" title="Targets on other hosts">
        <p>
          TLS Toll loads, records and probes this machine, and other hosts only if you allow them here.{' '}
          <Link to="/docs/hosts">How to measure another host</Link>
        </p>
      </PageHead>
      <StopButton />
      <ProblemNotice error={withdraw.error} />
      <Section id="allow" title="Allow a host">
        <AllowForm />
      </Section>
      <Answer of={list} waiting="Loading the targets">
        {({ targets, log }) => (
          <>
            <Section id="allowed" title="Allowed hosts">
              <Card flush={targets.length > 0}>
                {targets.length === 0 ? (
                  <p>No other host is allowed.</p>
                ) : (
                  <TargetTable
                    targets={targets}
                    pending={withdraw.isPending ? withdraw.variables : null}
                    onWithdraw={(id) => withdraw.mutate(id)}
                  />
                )}
              </Card>
            </Section>
            {log.length === 0 ? null : (
              <Section
                id="log"
                title="Log"
                lead={mayCall(auditEndpoints.listAudit) ? <Link to="/audit">Audit log</Link> : null}
              >
                <Card flush>
                  <DataTable
                    text
                    caption="Newest first"
                    columns={columns}
                    rows={log}
                    keyOf={({ id }) => id}
                  />
                </Card>
              </Section>
            )}
          </>
        )}
      </Answer>
    </>
  );
}

const actions: Record<TargetAction, string> = {
  allowed: 'Allowed',
  withdrawn: 'Withdrew',
  launched: 'Started a measurement',
  recorded: 'Recorded',
  replayed: 'Replayed',
  probed: 'Probed',
  checked: 'Checked',
  stopped: 'Stopped all load',
};

const columns: Column<TargetEvent>[] = [
  { label: 'When', cell: ({ at }) => printWhen(at) },
  { label: 'Who', cell: ({ who }) => who },
  { label: 'What', cell: ({ what }) => actions[what] },
  { label: 'Host', cell: ({ host }) => host ?? 'All' },
  {
    label: 'Note',
    cell: ({ what, note }) =>
      what === 'launched' && note !== null ? <a href={note}>{note}</a> : (note ?? ''),
  },
];
