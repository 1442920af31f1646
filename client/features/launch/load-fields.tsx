import { groupOptions } from '../../../shared/base/option.ts';
import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import { FieldRow, MoreFields, OptionFields, type OptionFieldsProps } from '../../components/form-fields.tsx';
import type { FieldProps, LaunchForm, OptionId } from './form-shape.ts';
import classes from './launch.module.css';

type LoadProps = FieldProps & {
  /** Whether other hosts offer their load generator. */
  hasHosts?: boolean;
  /** Whether the server can create generator pods. */
  hasPods?: boolean;
};

/** Per-side options are in the side columns, and a server's options next to its choice. */
const all = comparisonOptions.filter(
  ({ part, option }) => part !== 'target' && option.field !== false && option.perSide !== true,
);

/** Form properties for fields of its options. */
export function optionsOf({ form, set, messages }: FieldProps): OptionFieldsProps {
  return { form, set: (change) => set(change as Partial<LaunchForm>), messages };
}

/** Options that most people leave unchanged; opened automatically when one of their fields is wrong. */
export function LoadFields({ hasHosts = false, hasPods = false, ...props }: LoadProps) {
  const offered: Partial<Record<string, boolean>> = { generatorHosts: hasHosts, generatorPods: hasPods };
  const shown = all.filter(({ id }) => offered[id] !== false || props.form[id as OptionId] !== '');
  const wrong = shown.some(({ id }) => props.messages[id as OptionId] !== undefined);
  return (
    <MoreFields title="Connections and load" open={wrong}>
      {groupOptions(shown).map(([title, options]) => (
        <fieldset key={title} className={classes.group}>
          <legend>{title}</legend>
          <FieldRow>
            <OptionFields {...optionsOf(props)} options={options} />
          </FieldRow>
        </fieldset>
      ))}
    </MoreFields>
  );
}
