import classes from './form.module.css';
import { useScopedId } from './id-scope.ts';

type Props<Value extends string> = {
  legend: string;
  /** Stands above the row, as the labels of other fields do; otherwise it is only read out. */
  legendShown?: boolean;
  name: string;
  value: Value;
  choices: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
};

/** Radio buttons in a row that wraps: short choices of which one is always on. */
export function ChoicePills<Value extends string>({
  legend,
  legendShown = false,
  name,
  value,
  choices,
  onChange,
}: Props<Value>) {
  const own = useScopedId(name);
  return (
    <fieldset className={classes.pills}>
      <legend className={legendShown ? classes.shown : 'hidden'}>{legend}</legend>
      <div className={classes.choicePillsRow}>
        {choices.map((choice) => (
          <label key={choice.value}>
            <input
              type="radio"
              name={own}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            {choice.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
