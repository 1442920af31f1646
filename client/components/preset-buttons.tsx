import { Button } from '@mantine/core';
import { ButtonRow } from './button-row.tsx';
import classes from './form.module.css';

type Props<Value extends string> = {
  legend: string;
  presets: readonly { value: Value; label: string }[];
  onChoose: (value: Value) => void;
};

export function PresetButtons<Value extends string>({ legend, presets, onChoose }: Props<Value>) {
  return (
    <fieldset aria-label={legend} className={classes.pills}>
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
