import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { probeRequestSchema } from '../../../shared/target/probe.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import classes from './probe-page.module.css';

type Request = { url: string; ca?: string };
type Props = { pending: boolean; onProbe: (request: Request) => void };

export function ProbeForm({ pending, onProbe }: Props) {
  const [url, setUrl] = useState('');
  const [ca, setCa] = useState('');
  const [tried, setTried] = useState(false);
  const parsed = probeRequestSchema.safeParse({ url: url.trim(), ...(ca.trim() === '' ? {} : { ca }) });
  const messageOf = (field: string) =>
    tried ? parsed.error?.issues.find(({ path }) => path[0] === field)?.message : undefined;
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (parsed.success) onProbe(parsed.data as Request);
      }}
    >
      <div className={classes.line}>
        <TextInput
          label="Target"
          description="On this machine, or on a host that is allowed."
          placeholder="https://localhost:8443"
          value={url}
          error={messageOf('url')}
          onChange={(event) => setUrl(event.currentTarget.value)}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
        />
        <ActionButton type="submit" pending={pending}>
          Probe target
        </ActionButton>
      </div>
      <MoreFields title="Certificate authority">
        <Textarea
          label="Certificate authority (PEM)"
          description="Optional. Verifies a certificate that is not from a public authority."
          placeholder="-----BEGIN CERTIFICATE-----"
          rows={3}
          value={ca}
          error={messageOf('ca')}
          onChange={(event) => setCa(event.currentTarget.value)}
          spellCheck={false}
        />
      </MoreFields>
    </form>
  );
}
