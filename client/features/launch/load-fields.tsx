import { groupOptions, type PlacedOption } from '../../../shared/base/option.ts';
import { tlsVersions } from '../../../shared/base/tls-options.ts';
import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import { FieldRow } from '../../components/field-row.tsx';
import { SelectField } from '../../components/form-fields.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import { OptionField } from '../../components/option-field.tsx';
import {
  applies,
  comparisons,
  type FieldMessages,
  type LaunchForm,
  type OptionId,
  type SetField,
} from './form-shape.ts';
import classes from './launch-card.module.css';

type Props = { form: LaunchForm; set: SetField; messages: FieldMessages };

/** Those of a server stand where it is chosen. */
const shown = comparisonOptions.filter(({ part, option }) => part !== 'target' && option.field !== false);

/** What most people leave as it is; opened by itself when one of its fields is wrong. */
export function LoadFields(props: Props) {
  const wrong = shown.some(({ id }) => props.messages[id as OptionId] !== undefined);
  return (
    <MoreFields title="TLS, connections and load" open={wrong}>
      {groupOptions(shown).map(([title, options]) => (
        <fieldset key={title} className={classes.group}>
          <legend>{title}</legend>
          <FieldRow>
            {title === 'TLS' ? <ComparisonField {...props} /> : null}
            <OptionFields {...props} options={options} />
          </FieldRow>
        </fieldset>
      ))}
    </MoreFields>
  );
}

/** Fields of the options that count. */
export function OptionFields({ form, set, messages, options }: Props & { options: PlacedOption[] }) {
  return options
    .filter((placed) => applies(placed, form))
    .map(({ id, option }) => (
      <OptionField
        key={id}
        option={option}
        value={form[id as OptionId]}
        error={messages[id as OptionId]}
        onChange={(value) => set({ [id]: value })}
        suggestions={suggestions[id]?.(form['tls.version'])}
      />
    ));
}

function ComparisonField({ form, set }: Props) {
  return (
    <SelectField
      form={form}
      set={set}
      name="comparison"
      label="Compare"
      description={comparisons[form.comparison].note}
      data={Object.entries(comparisons).map(([value, { label }]) => ({ value, label }))}
    />
  );
}

const suites: Record<(typeof tlsVersions)[number], string[]> = {
  'TLSv1.3': ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  'TLSv1.2': [
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES256-GCM-SHA384',
  ],
};
const curves = ['X25519', 'P-256', 'P-384'];
const hybrids = ['X25519MLKEM768', 'SecP256r1MLKEM768', 'SecP384r1MLKEM1024'];

/** What is usual with the chosen version. */
const suggestions: Record<string, (version: LaunchForm['tls.version']) => string[]> = {
  'tls.cipher': (version) => (version === '' ? tlsVersions.flatMap((each) => suites[each]) : suites[version]),
  'tls.group': (version) => (version === 'TLSv1.2' ? curves : [...curves, ...hybrids]),
};
