import classes from './choice-segments.module.css';

type Choice<Value extends string> = { value: Value; title: string; aside: string; body: string };

type Props<Value extends string> = {
  /** Read out only. */
  legend: string;
  name: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChange: (value: Value) => void;
};

/** Radio buttons as one row, each with a line on what it stands for. */
export function ChoiceSegments<Value extends string>({
  legend,
  name,
  value,
  choices,
  onChange,
}: Props<Value>) {
  return (
    <fieldset className={classes.segments}>
      <legend>{legend}</legend>
      <div className={classes.row}>
        {choices.map((choice) => (
          <label key={choice.value} className={classes.segment}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span className={classes.title}>
              {choice.title} <span className={classes.aside}>{choice.aside}</span>
            </span>
            <span className={classes.body}>{choice.body}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
