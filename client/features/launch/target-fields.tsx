import type { ReactNode } from 'react';
import type { TargetKind } from '../../../shared/target/target.ts';
import { targetChoices } from '../../../shared/words/target-words.ts';
import { ChoicePills } from '../../components/choice-pills.tsx';
import { FieldRow } from '../../components/field-row.tsx';
import { TextField } from '../../components/form-fields.tsx';
import { LinkedText } from '../../components/linked-text.tsx';
import { asksPaths, type FieldProps } from './form-shape.ts';
import classes from './launch.module.css';
import { ManagedFields } from './managed-fields.tsx';
import { guessOf } from './pasted-address.ts';
import { sharedScheme } from './side-form.ts';

export function TargetChoice({ form, set }: Pick<FieldProps, 'form' | 'set'>) {
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
export function TargetFields(props: FieldProps) {
  const Fields = fieldsOfKind[props.form.targetKind];
  if (Fields === null) return null;
  return (
    <div className={classes.stack}>
      <Fields {...props} />
    </div>
  );
}

const fieldsOfKind: Record<TargetKind, ((props: FieldProps) => ReactNode) | null> = {
  storefront: null,
  origins: OriginFields,
  managed: ManagedFields,
};

function OriginFields(props: FieldProps) {
  const { form } = props;
  const scheme = sharedScheme(form);
  const trusted = [form.trust, form['sides.comparison.target.trust']].filter((each) => each !== '');
  return (
    <>
      <FieldRow>
        {scheme === null ? (
          <>
            <SideAddressField side="http" {...props} />
            <SideAddressField side="https" {...props} />
          </>
        ) : (
          <>
            <SideAddressField side={scheme} {...props} />
            <OtherAddressField {...props} />
          </>
        )}
        {asksPaths(form) ? <TextField {...props} name="path" label="Path" /> : null}
      </FieldRow>
      {trusted.map((fingerprint) => (
        <p key={fingerprint} className="soft">
          Trusted for this run: <code className={classes.fingerprint}>{fingerprint}</code>
        </p>
      ))}
    </>
  );
}

/** An address that was left out is guessed where it usually is, and said. */
function SideAddressField({ side, ...fields }: FieldProps & { side: 'http' | 'https' }) {
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
function OtherAddressField(props: FieldProps) {
  const message = props.messages['sides.comparison.target.origin'];
  return (
    <TextField
      {...props}
      name="sides.comparison.target.origin"
      label="Address of the comparison"
      placeholder="as baseline"
      error={message && <LinkedText>{message}</LinkedText>}
      inputMode="url"
    />
  );
}
