import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TargetKind } from '../../../shared/target/target.ts';
import { targetChoices } from '../../../shared/words/target-words.ts';
import { ChoicePills } from '../../components/choice-pills.tsx';
import { FieldRow } from '../../components/field-row.tsx';
import { TextField } from '../../components/form-fields.tsx';
import { LinkedText } from '../../components/linked-text.tsx';
import { AgentFields } from './agent-fields.tsx';
import { ExporterFields } from './exporter-fields.tsx';
import { asksPaths, type FieldMessages, type LaunchForm, type SetField } from './form-shape.ts';
import { guessOf } from './guess-address.ts';
import classes from './launch-card.module.css';
import { ManagedFields } from './managed-fields.tsx';
import { MoreOfTarget } from './more-of-target.tsx';
import { sharedScheme } from './side-form.ts';

type Props = { form: LaunchForm; set: SetField; messages: FieldMessages };

export function TargetChoice({ form, set }: Pick<Props, 'form' | 'set'>) {
  return (
    <ChoicePills
      legend="Target"
      legendShown
      name="target"
      value={form.targetKind}
      onChange={(targetKind) => set(targetKind === 'managed' ? { targetKind, scenario: '' } : { targetKind })}
      choices={targetChoices}
    />
  );
}

/** What a target of the chosen kind is asked for. */
export function TargetFields({ form, set, messages }: Props) {
  const Fields = fieldsOfKind[form.targetKind];
  if (Fields === null) return null;
  return (
    <div className={classes.stack}>
      <Fields form={form} set={set} messages={messages} />
    </div>
  );
}

/** What is seldom given of two addresses. */
export function MoreOfOrigins(props: Props) {
  return (
    <>
      <MoreOfTarget {...props} />
      <AgentFields {...props} />
      <ExporterFields {...props} />
    </>
  );
}

const fieldsOfKind: Record<TargetKind, ((props: Props) => ReactNode) | null> = {
  storefront: null,
  origins: OriginFields,
  managed: ManagedFields,
};

function OriginFields({ form, set, messages }: Props) {
  const scheme = sharedScheme(form);
  const trusted = [form.trust, form['sides.comparison.target.trust']].filter((each) => each !== '');
  return (
    <>
      <FieldRow>
        {scheme === null ? (
          <>
            <SideAddressField side="http" form={form} set={set} messages={messages} />
            <SideAddressField side="https" form={form} set={set} messages={messages} />
          </>
        ) : (
          <>
            <SideAddressField side={scheme} form={form} set={set} messages={messages} />
            <OtherAddressField form={form} set={set} messages={messages} />
          </>
        )}
        {asksPaths(form) ? (
          <TextField form={form} set={set} messages={messages} name="path" label="Path" />
        ) : null}
      </FieldRow>
      {trusted.map((fingerprint) => (
        <p key={fingerprint} className={classes.hint}>
          Trusted for this run: <code className={classes.fingerprint}>{fingerprint}</code>
        </p>
      ))}
    </>
  );
}

/** An address that was left out is guessed where it usually is, and said. */
function SideAddressField({ side, ...fields }: Props & { side: 'http' | 'https' }) {
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

/** Where both sides speak the same, one address may do for both. */
function OtherAddressField({ form, set, messages }: Props) {
  const message = messages['sides.comparison.target.origin'];
  return (
    <TextInput
      label="Address of the comparison"
      placeholder="as baseline"
      value={form['sides.comparison.target.origin']}
      error={message === undefined ? undefined : <LinkedText>{message}</LinkedText>}
      onChange={(event) => set({ 'sides.comparison.target.origin': event.currentTarget.value })}
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
    />
  );
}
