import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { permitEndpoints } from '../../../shared/api/permit-endpoints.ts';
import { ProblemError } from '../../../shared/base/problem.ts';
import {
  type AllowRequest,
  allowRequestSchema,
  capsSchema,
} from '../../../shared/target/permitted-target.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { targetsQuery } from '../../api/targets-query.ts';
import { FieldRow } from '../../components/field-row.tsx';
import { TextField } from '../../components/form-fields.tsx';
import { RequestForm } from '../../components/request-form.tsx';

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
