import type { PlacedOption } from '../../shared/base/option.ts';
import { isWide } from '../format/option-field.ts';
import { FieldRow } from './field-row.tsx';
import { type ChoicesOfFields, OptionFields, type OptionFieldsProps } from './option-fields.tsx';

type Props = OptionFieldsProps & { options: readonly PlacedOption[]; choices?: ChoicesOfFields };

/** Fields that take the whole width, each below the other, and then the others in rows. */
export function OptionRows({ options, ...fields }: Props) {
  const shown = options.filter(({ option }) => option.field !== false);
  return (
    <>
      <OptionFields {...fields} options={shown.filter(({ option }) => isWide(option))} />
      <FieldRow>
        <OptionFields {...fields} options={shown.filter(({ option }) => !isWide(option))} />
      </FieldRow>
    </>
  );
}
