import { useState } from 'react';
import { type ProbeRequestInput, probeRequestSchema } from '../../../shared/target/probe.ts';
import { clientKeyName } from '../../../shared/target/target.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Form } from '../../components/form.tsx';
import { AreaField, TextField } from '../../components/form-fields.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import classes from './probe.module.css';

type Props = { pending: boolean; onProbe: (request: ProbeRequestInput) => void };

export function ProbeForm({ pending, onProbe }: Props) {
  const [form, setForm] = useState({ url: '', ca: '', clientCertificate: '', clientKey: '' });
  const [tried, setTried] = useState(false);
  const { url, ca, clientCertificate, clientKey } = form;
  const parsed = probeRequestSchema.safeParse({
    url: url.trim(),
    ...(ca.trim() === '' ? {} : { ca }),
    ...(clientCertificate.trim() === '' ? {} : { clientCertificate }),
    ...(clientKey.trim() === '' ? {} : { secrets: { [clientKeyName]: clientKey } }),
  });
  const fields = {
    form,
    set: (change: Partial<typeof form>) => setForm({ ...form, ...change }),
    messages: (name: string) =>
      tried ? parsed.error?.issues.find(({ path }) => path[0] === name)?.message : undefined,
  };
  return (
    <Form
      className="stack"
      noValidate
      onSubmit={() => {
        setTried(true);
        if (parsed.success) onProbe(parsed.data);
      }}
    >
      <div className={classes.line}>
        <TextField
          {...fields}
          name="url"
          label="Target"
          description="On this machine, or on a host that is allowed."
          placeholder="https://localhost:8443"
          inputMode="url"
        />
        <ActionButton type="submit" pending={pending}>
          Probe target
        </ActionButton>
      </div>
      <MoreFields title="Certificates">
        <AreaField
          {...fields}
          name="ca"
          label="Certificate authority (PEM)"
          description="Optional. Verifies a certificate that is not from a public authority."
          placeholder="-----BEGIN CERTIFICATE-----"
          rows={3}
        />
        <AreaField
          {...fields}
          name="clientCertificate"
          label="Client certificate (PEM)"
          description="Where the target demands one."
          placeholder="-----BEGIN CERTIFICATE-----"
          rows={3}
        />
        <AreaField
          {...fields}
          name="clientKey"
          label="Its key (PEM)"
          description="Used for this probe, and never stored."
          placeholder="-----BEGIN PRIVATE KEY-----"
          rows={3}
        />
      </MoreFields>
    </Form>
  );
}
