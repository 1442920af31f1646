import { Button } from '@mantine/core';
import { NavLink } from 'react-router';
import type { PlacedOption } from '../../shared/base/option.ts';
import { labPages } from '../../shared/measurement/kind-names.ts';
import { mayCall } from '../api/identity.ts';
import { isWide } from '../format/option-field.ts';
import { ButtonRow } from './action-button.tsx';
import buttonsClasses from './form.module.css';
import { type ChoicesOfFields, FieldRow, OptionFields, type OptionFieldsProps } from './form-fields.tsx';
import classes from './page.module.css';

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

const tabs = [
  ...labPages.map(({ path, tab }) => ({ path, tab, access: 'reader' as const })),
  { path: '/lab/probe', tab: 'Probe', access: 'operator' as const },
  { path: '/lab/capacity', tab: 'Capacity', access: 'reader' as const },
];

export function LabTabs() {
  return (
    <nav className={classes.tabs} aria-label="Lab">
      {tabs.filter(mayCall).map(({ path, tab }) => (
        <NavLink key={path} to={path} end>
          {tab}
        </NavLink>
      ))}
    </nav>
  );
}

type ButtonsProps<Value extends string> = {
  legend: string;
  presets: readonly { value: Value; label: string }[];
  onChoose: (value: Value) => void;
};

export function PresetButtons<Value extends string>({ legend, presets, onChoose }: ButtonsProps<Value>) {
  return (
    <fieldset aria-label={legend} className={buttonsClasses.pills}>
      <ButtonRow>
        {presets.map(({ value, label }) => (
          <Button key={value} variant="default" size="sm" onClick={() => onChoose(value)}>
            {label}
          </Button>
        ))}
      </ButtonRow>
    </fieldset>
  );
}
