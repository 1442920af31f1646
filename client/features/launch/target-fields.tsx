import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { TargetKind } from '../../../shared/target/target.ts';
import { targetChoices } from '../../../shared/words/target-words.ts';
import { ChoicePills } from '../../components/choice-pills.tsx';
import { FieldRow } from '../../components/field-row.tsx';
import { AreaField, TextField } from '../../components/form-fields.tsx';
import { LinkedText } from '../../components/linked-text.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import { AgentFields } from './agent-fields.tsx';
import { ExporterFields } from './exporter-fields.tsx';
import { asksPaths, type FieldMessages, type LaunchForm, type SetField } from './form-shape.ts';
import { guessOf } from './guess-address.ts';
import classes from './launch-card.module.css';
import { ManagedFields } from './managed-fields.tsx';

type Props = { form: LaunchForm; set: SetField; messages: FieldMessages };

export function TargetFields(fields: Props) {
  const { form, set } = fields;
  const Fields = fieldsOfKind[form.targetKind];
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
      <Fields {...fields} />
    </div>
  );
}

const fieldsOfKind: Record<TargetKind, (props: Props) => ReactNode> = {
  storefront: StorefrontHint,
  origins: OriginFields,
  managed: ManagedFields,
};

function StorefrontHint() {
  return <p className={classes.hint}>A small shop with a database, started for the run.</p>;
}

function OriginFields(fields: Props) {
  const { form } = fields;
  return (
    <>
      <FieldRow>
        <AddressField side="http" {...fields} />
        <AddressField side="https" {...fields} />
      </FieldRow>
      {asksPaths(form) ? <PathField {...fields} /> : null}
      {form.trust === '' ? null : (
        <p className={classes.hint}>
          Trusted for this run: <code className={classes.fingerprint}>{form.trust}</code>
        </p>
      )}
      <MoreOfTarget {...fields} />
      <AgentFields {...fields} />
      <ExporterFields {...fields} />
    </>
  );
}

/** An address that was left out is guessed where it usually is, and said. */
function AddressField({ side, ...fields }: Props & { side: 'http' | 'https' }) {
  const message = fields.messages[side];
  const guess = guessOf(fields.form);
  const guessed = guess?.side === side ? guess.address : null;
  return (
    <TextField
      {...fields}
      name={side}
      label={`${side.toUpperCase()} address`}
      description={guessed === null ? undefined : `Left empty: ${guessed} is used.`}
      placeholder={side === 'http' ? 'http://127.0.0.1:8080' : 'https://127.0.0.1:8443'}
      error={message && <LinkedText>{message}</LinkedText>}
      inputMode="url"
    />
  );
}

function PathField(fields: Props) {
  return (
    <>
      <TextField {...fields} name="path" label="Path" />
      <p className={classes.hint}>
        Separate several paths with spaces. Later: <Link to="/record">record</Link> or{' '}
        <Link to="/scenarios">import a scenario</Link>.
      </p>
    </>
  );
}

/** What most targets do without; open where something of it is given, or wrong. */
function MoreOfTarget(fields: Props) {
  const { form, messages } = fields;
  const used =
    [form.ca, form.twin, form.pid].some((text) => text !== '') ||
    [messages.ca, messages.twin, messages.pid].some((message) => message !== undefined);
  return (
    <MoreFields title="Certificate, twin, process" open={used}>
      <FieldRow>
        <AreaField
          {...fields}
          name="ca"
          label="Certificate authority (PEM)"
          description="If the certificate is not signed by a public authority."
          placeholder="-----BEGIN CERTIFICATE-----"
          rows={3}
        />
        <TextField
          {...fields}
          name="twin"
          label="Twin address"
          description="A second listener like the HTTP side’s. It shows what is only noise."
          inputMode="url"
        />
        <TextField
          {...fields}
          name="pid"
          label="Process ID"
          description="Empty: found by the listening port."
          inputMode="numeric"
        />
      </FieldRow>
    </MoreFields>
  );
}
