import { useState } from 'react';
import { probeRequestSchema } from '../../../shared/target/probe.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Form } from '../../components/form.tsx';
import { AreaField, TextField } from '../../components/form-fields.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import classes from './probe-page.module.css';

type Request = { url: string; ca?: string };
type Props = { pending: boolean; onProbe: (request: Request) => void };

export function ProbeForm({ pending, onProbe }: Props) {
  const [form, setForm] = useState({ url: '', ca: '' });
  const [tried, setTried] = useState(false);
  const { url, ca } = form;
  const parsed = probeRequestSchema.safeParse({ url: url.trim(), ...(ca.trim() === '' ? {} : { ca }) });
  const fields = {
    form,
    set: (change: Partial<typeof form>) => setForm({ ...form, ...change }),
    messages: (name: string) =>
      tried ? parsed.error?.issues.find(({ path }) => path[0] === name)?.message : undefined,
  };
  return (
    <Form
      className={classes.form}
      noValidate
      onSubmit={() => {
        setTried(true);
        if (parsed.success) onProbe(parsed.data as Request);
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
      <MoreFields title="Certificate authority">
        <AreaField
          {...fields}
          name="ca"
          label="Certificate authority (PEM)"
          description="Optional. Verifies a certificate that is not from a public authority."
          placeholder="-----BEGIN CERTIFICATE-----"
          rows={3}
        />
      </MoreFields>
    </Form>
  );
}
