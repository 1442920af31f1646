import classes from './form.module.css';

type Props<Value extends string> = {
  /** Read out. */
  label: string;
  value: Value;
  choices: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
};

/** Buttons in a row that wraps, of which one is pressed: ways to narrow down what stands below. */
export function ToggleChips<Value extends string>({ label, value, choices, onChange }: Props<Value>) {
  return (
    <fieldset className={classes.chips} aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  );
}
