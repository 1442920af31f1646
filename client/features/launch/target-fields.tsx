import { Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TargetKind } from '../../../shared/target.ts';
import { targetChoices } from '../../../shared/target-facts.ts';
import { ChoicePills } from '../../components/choice-pills.tsx';
import classes from './launch-card.module.css';
import type { FieldMessages, LaunchForm, SetField } from './launch-form.ts';
import { ServerFields } from './server-fields.tsx';

type Props = { form: LaunchForm; set: SetField; messages: FieldMessages };

export function TargetFields({ form, set, messages }: Props) {
  const Fields = fields[form.targetKind];
  return (
    <div className={classes.stack}>
      <ChoicePills
        legend="Target"
        legendShown
        name="target"
        value={form.targetKind}
        onChange={(targetKind) =>
          set(targetKind === 'managed' ? { targetKind, scenario: '' } : { targetKind })
        }
        choices={targetChoices}
      />
      <Fields form={form} set={set} messages={messages} />
    </div>
  );
}

const fields: Record<TargetKind, (props: Props) => ReactNode> = {
  storefront: StorefrontHint,
  origins: OriginFields,
  managed: ServerFields,
};

function StorefrontHint() {
  return (
    <p className={classes.hint}>
      A small shop with a database, started for the run as identical processes: one HTTP, one HTTPS, and a
      second HTTP as the null arm. Nothing needs checking first.
    </p>
  );
}

function OriginFields({ form, set, messages }: Props) {
  return (
    <>
      <p className={classes.hint}>
        The same application behind both, on this machine’s loopback addresses. Other hosts are refused.
      </p>
      <div className={classes.pair}>
        <TextInput
          label="HTTP origin"
          placeholder="http://127.0.0.1:8080"
          value={form.http}
          error={messages.http}
          onChange={(event) => set({ http: event.currentTarget.value })}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          label="HTTPS origin"
          placeholder="https://localhost:8443"
          value={form.https}
          error={messages.https}
          onChange={(event) => set({ https: event.currentTarget.value })}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <div className={classes.pair}>
        <Textarea
          label="Certificate authority (PEM)"
          description="Only when the certificate is not from a public authority."
          placeholder="-----BEGIN CERTIFICATE-----"
          rows={3}
          value={form.ca}
          error={messages.ca}
          onChange={(event) => set({ ca: event.currentTarget.value })}
          spellCheck={false}
        />
        <TextInput
          label="Process id"
          description="Optional. Found by the listening port when left empty."
          value={form.pid}
          error={messages.pid}
          onChange={(event) => set({ pid: event.currentTarget.value })}
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
    </>
  );
}
