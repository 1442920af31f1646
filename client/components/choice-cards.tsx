import type { ReactNode } from 'react';
import classes from './choice-cards.module.css';

type Choice<Value extends string> = { value: Value; title: string; body: ReactNode };

type Props<Value extends string> = {
  legend: string;
  name: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChange: (value: Value) => void;
};

/** Radio buttons, each a card that says what it stands for. */
export function ChoiceCards<Value extends string>({ legend, name, value, choices, onChange }: Props<Value>) {
  return (
    <fieldset className={classes.cards}>
      <legend>{legend}</legend>
      <div className={classes.row}>
        {choices.map((choice) => (
          <label key={choice.value} className={classes.card}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span className={classes.title}>{choice.title}</span>
            <span className={classes.body}>{choice.body}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
