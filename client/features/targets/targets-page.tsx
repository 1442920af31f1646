import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { auditEndpoints, permitEndpoints } from '../../../shared/api/housekeeping-endpoints.ts';
import { ProblemError } from '../../../shared/base/problem.ts';
import {
  type AllowRequest,
  allowRequestSchema,
  capsSchema,
  type PermittedTarget,
  type TargetAction,
  type TargetEvent,
} from '../../../shared/target/target.ts';
import { mayCall } from '../../api/identity.ts';
import { callEndpoint } from '../../api/late-call.ts';
import { targetsQuery } from '../../api/result-queries.ts';
import { ActionButton, PageHead } from '../../components/action-button.tsx';
import { Answer, ProblemNotice } from '../../components/answer.tsx';
import { Card, Section } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FieldRow, TextField } from '../../components/form-fields.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { StopButton } from '../../components/run-buttons.tsx';
import { printBytes, printWhen } from '../../format/printed-figures.ts';

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
  launched: 'Started a run',
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

const usual = capsSchema.parse({});
const bytesOfMegabyte = 1_000_000;
const blank = {
  host: '',
  why: '',
  requestsPerS: `${usual.requestsPerS}`,
  connections: `${usual.connections}`,
  minutes: `${usual.minutes}`,
  megabytes: `${usual.bytes / bytesOfMegabyte}`,
};
type Form = typeof blank;

const limits = [
  ['requestsPerS', 'Requests per second'],
  ['connections', 'Connections'],
  ['minutes', 'Minutes per run'],
  ['megabytes', 'Megabytes per run'],
] as const;

export function AllowForm() {
  const queryClient = useQueryClient();
  const [form, setForm] = useState(blank);
  const [tried, setTried] = useState(false);
  const allow = useMutation({
    mutationFn: (body: AllowRequest) => callEndpoint(permitEndpoints.allowTarget, { body }),
    onSuccess() {
      setForm(blank);
      setTried(false);
    },
    onSettled: () => queryClient.invalidateQueries(targetsQuery),
  });
  const parsed = allowRequestSchema.safeParse(requestOf(form));
  const answered = allow.error instanceof ProblemError ? (allow.error.problem.errors ?? []) : [];
  const messageOf = (field: string) =>
    (tried ? parsed.error?.issues.find(({ path }) => path.at(-1) === field)?.message : undefined) ??
    answered.find((each) => each.field === field)?.message;
  const set = (change: Partial<Form>) => {
    allow.reset();
    setForm({ ...form, ...change });
  };
  const fields = { form, set, messages: messageOf };
  return (
    <RequestForm
      calls={permitEndpoints.allowTarget}
      action="Allow host"
      pending={allow.isPending}
      error={answered.length > 0 ? null : allow.error}
      onSubmit={() => {
        setTried(true);
        if (parsed.success) allow.mutate(parsed.data);
      }}
    >
      <FieldRow>
        <TextField
          {...fields}
          name="host"
          label="Host"
          description="A name, an IP address, or a range."
          placeholder="staging.example.com"
        />
        <TextField {...fields} name="why" label="Reason" description="For the log." />
      </FieldRow>
      <FieldRow>
        {limits.map(([field, label]) => (
          <TextField
            {...fields}
            key={field}
            name={field}
            label={label}
            error={messageOf(field === 'megabytes' ? 'bytes' : field)}
            inputMode="numeric"
          />
        ))}
      </FieldRow>
    </RequestForm>
  );
}

function requestOf({ host, why, requestsPerS, connections, minutes, megabytes }: Form): object {
  const caps = {
    requestsPerS: Number(requestsPerS),
    connections: Number(connections),
    minutes: Number(minutes),
    bytes: Number(megabytes) * bytesOfMegabyte,
  };
  return { host, why, caps };
}
