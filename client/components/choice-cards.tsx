import type { ReactNode } from 'react';
import cards from './choice-cards.module.css';
import segments from './choice-segments.module.css';

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

const sheets = { cards, segments };

/** Radio buttons, each with what it stands for. */
export function ChoiceCards<Value extends string>(props: Props<Value>) {
  const { legend, name, value, choices, onChange, look = 'cards' } = props;
  const classes = sheets[look];
  return (
    <fieldset className={classes.choices}>
      <legend>{legend}</legend>
      <div className={classes.row}>
        {choices.map((choice) => (
          <label key={choice.value} className={classes.choice}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span className={classes.title}>
              {choice.title}
              {choice.aside === undefined ? null : <span className={classes.aside}> {choice.aside}</span>}
            </span>
            <span className={classes.body}>{choice.body}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
