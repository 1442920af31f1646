import type { ReactNode } from 'react';
import classes from './form.module.css';

type Choice<Value extends string> = { value: Value; title: string; aside?: string; body: ReactNode };

type Props<Value extends string> = {
  /** Stands above cards; of segments it is read out only. */
  legend: string;
  name: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChange: (value: Value) => void;
  /** Cards of their own, or segments of one row. */
  look?: 'cards' | 'segments';
};

/** Radio buttons, each with what it stands for. */
export function ChoiceCards<Value extends string>(props: Props<Value>) {
  const { legend, name, value, choices, onChange, look = 'cards' } = props;
  return (
    <fieldset className={look === 'cards' ? classes.cards : classes.segments}>
      <legend>{legend}</legend>
      <div className={classes.choices}>
        {choices.map((choice) => (
          <label key={choice.value} className={classes.choice}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span className={classes.choiceTitle}>
              {choice.title}
              {choice.aside === undefined ? null : <span className={classes.aside}> {choice.aside}</span>}
            </span>
            <span className={classes.choiceBody}>{choice.body}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
