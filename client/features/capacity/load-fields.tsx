import { groupOptions } from '../../../shared/base/option.ts';
import { goesWith } from '../../../shared/kinds/comparison/capacity.ts';
import { loadOptions } from '../../../shared/kinds/comparison/capacity-options.ts';
import { OptionFields, type OptionFieldsProps } from '../../components/option-fields.tsx';
import type { OptionForm } from '../../format/option-form.ts';
import classes from './capacity.module.css';
import { changeOfVersion } from './capacity-form.ts';

export type FieldsProps = OptionFieldsProps & { form: OptionForm };

export function LoadFields({ form, set, messages }: FieldsProps) {
  const version = String(form['load.version']);
  const choose = (choice: { value: string; label: string }) =>
    goesWith(choice.value, version) ? choice : null;
  return groupOptions(loadOptions).map(([title, options]) => (
    <fieldset key={title} className={classes.fields}>
      <legend>{title}</legend>
      <OptionFields
        form={form}
        set={({ 'load.version': chosen, ...change }) =>
          set(chosen === undefined ? change : changeOfVersion(form, String(chosen)))
        }
        messages={messages}
        options={options}
        choices={{ 'load.key': choose, 'load.group': choose }}
      />
    </fieldset>
  ));
}
