import { useId } from 'react';
import classes from './form.module.css';

type Props<Value extends string> = {
  legend: string;
  name: string;
  values: readonly Value[];
  choices: readonly { value: Value; label: string; title?: string; disabled?: boolean }[];
  error?: string | undefined;
  onChange: (values: Value[]) => void;
};

/** Checkboxes in a row that wraps: short choices of which any number is on, in the order in which they stand. */
export function CheckPills<Value extends string>({
  legend,
  name,
  values,
  choices,
  error,
  onChange,
}: Props<Value>) {
  const errorId = useId();
  const toggle = (value: Value, on: boolean) =>
    onChange(
      choices.map((choice) => choice.value).filter((each) => (each === value ? on : values.includes(each))),
    );
  return (
    <fieldset className={classes.pills} aria-describedby={error === undefined ? undefined : errorId}>
      <legend className={classes.shown}>{legend}</legend>
      <div className={classes.choicePillsRow}>
        {choices.map(({ value, label, title, disabled = false }) => (
          <label key={value} title={title} data-disabled={disabled || undefined}>
            <input
              type="checkbox"
              name={name}
              value={value}
              disabled={disabled}
              checked={values.includes(value)}
              onChange={(event) => toggle(value, event.currentTarget.checked)}
            />
            {label}
          </label>
        ))}
      </div>
      {error === undefined ? null : (
        <p id={errorId} className={classes.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
