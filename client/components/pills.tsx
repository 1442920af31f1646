import { type ReactNode, useId } from 'react';
import type { Check, PreflightReport, PreflightSide } from '../../shared/target/preflight.ts';
import type { IconName } from '../format/looks.ts';
import { type Side, sidesOf, withoutOptions } from '../format/sides.ts';
import { Icon, OriginalWords, useScopedId } from './card.tsx';
import markClasses from './figure.module.css';
import classes from './form.module.css';
import columnsClasses from './page.module.css';

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

/** A preflight report as two columns: each side by its name, where it was found, and its checks. */
export function CheckColumns({ report }: { report: PreflightReport }) {
  return (
    <div className={columnsClasses.checkColumns}>
      {checkColumns(report).map(({ side, subtitle, checks }) => (
        <section key={side.label} aria-label={side.label} className={columnsClasses.column}>
          <h3>
            <SideMark {...side} /> {side.label}
          </h3>
          <p className={columnsClasses.subtitle}>{subtitle}</p>
          <ul className={columnsClasses.checks}>
            {checks.map((check) => (
              <CheckItem key={check.id} check={check} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

type CheckColumn = { side: Side; subtitle: string; checks: Check[] };

export function checkColumns({ sides }: PreflightReport): [CheckColumn, CheckColumn] {
  const { baseline, comparison } = sidesOf(sides);
  return [columnOf(baseline, sides.baseline), columnOf(comparison, sides.comparison)];
}

function columnOf(side: Side, { origin, address, checks }: PreflightSide): CheckColumn {
  return {
    side,
    subtitle: address === null ? origin : `${origin} at ${address}`,
    checks: checks.map((check) => ({ ...check, message: withoutOptions(check.message) })),
  };
}

const looks: Record<Check['status'], { icon: IconName; word: string }> = {
  pass: { icon: 'check', word: 'passed' },
  warn: { icon: 'exclamation', word: 'warning' },
  fail: { icon: 'cross', word: 'failed' },
  skipped: { icon: 'minus', word: 'skipped' },
};

function CheckItem({ check }: { check: Check }) {
  const { icon, word } = looks[check.status];
  return (
    <li data-status={check.status}>
      <Icon name={icon} />
      <div>
        <strong>{check.title}</strong> <span className={columnsClasses.word}>{word}</span>
        <p>{check.message}</p>
        <OriginalWords>{check.details}</OriginalWords>
      </div>
    </li>
  );
}

type Choice<Value extends string> = { value: Value; title: string; aside?: string; body: ReactNode };

type CardsProps<Value extends string> = {
  /** Visible above `cards`; for `figures`, only screen readers announce it. */
  legend: string;
  name: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChange: (value: Value) => void;
  /** Cards with a text, or with a figure and its purpose. */
  look?: 'cards' | 'figures';
};

/** Radio buttons, each with what it stands for. */
export function ChoiceCards<Value extends string>(props: CardsProps<Value>) {
  const { legend, name, value, choices, onChange, look = 'cards' } = props;
  return (
    <fieldset className={look === 'cards' ? classes.cards : classes.figures}>
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

type PillsProps<Value extends string> = {
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
}: PillsProps<Value>) {
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

type Looks = { color: string; dashed: boolean; marker: 'circle' | 'diamond' };

/** A short line with its marker, as the charts draw it. */
export function SideMark({ color, dashed, marker }: Looks) {
  return (
    <svg width="26" height="12" viewBox="0 0 26 12" aria-hidden="true" className={markClasses.sideMark}>
      <path
        d={dashed ? 'M1 6h5M20 6h5' : 'M1 6h24'}
        stroke={color}
        strokeWidth="2"
        strokeLinecap="round"
        fill="none"
      />
      {marker === 'circle' ? (
        <circle cx="13" cy="6" r="4" fill={color} />
      ) : (
        <path d="M13 1l5 5-5 5-5-5Z" fill={color} />
      )}
    </svg>
  );
}
