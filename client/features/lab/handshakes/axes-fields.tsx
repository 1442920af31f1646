import { legacyKeys, legacyVersions } from '../../../../shared/kinds/handshakes/handshake-names.ts';
import { gridOptions } from '../../../../shared/kinds/handshakes/options.ts';
import { OptionFields, type OptionFieldsProps } from '../../../components/option-fields.tsx';
import { OptionRows } from '../../../components/option-rows.tsx';
import type { OptionForm } from '../../../format/option-form.ts';

const legacyOption = gridOptions.filter(({ id }) => id === 'legacy');
const axes = gridOptions.filter((placed) => !legacyOption.includes(placed));
const legacy: ReadonlySet<string> = new Set([...legacyVersions, ...legacyKeys]);

/** The axes of a grid: what is left empty takes everything that fits the rest. The old ones only when asked for. */
export function AxesFields({ form, set, messages }: OptionFieldsProps & { form: OptionForm }) {
  const current = (choice: { value: string; label: string }) =>
    form.legacy || !legacy.has(choice.value) ? choice : null;
  const withoutLegacy = (id: string) => (form[id] as readonly string[]).filter((each) => !legacy.has(each));
  return (
    <div className="stack wide">
      <OptionFields
        form={form}
        messages={messages}
        options={legacyOption}
        set={(change) =>
          set(
            change.legacy
              ? change
              : {
                  ...change,
                  'grid.versions': withoutLegacy('grid.versions'),
                  'grid.keys': withoutLegacy('grid.keys'),
                },
          )
        }
      />
      <OptionRows
        form={form}
        set={set}
        messages={messages}
        options={axes}
        choices={{ 'grid.versions': current, 'grid.keys': current }}
      />
    </div>
  );
}
