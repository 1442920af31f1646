import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ActionButton } from '../../../components/action-button.tsx';
import classes from '../scenarios.module.css';
import { newKey } from './draft.ts';

type Keyed = { key: number };

type Fields<Rule> = { form: Rule; set: (part: Partial<Rule>) => void };

type Props<Rule> = {
  legend: string;
  rules: readonly Rule[];
  /** The button that adds one, and what it adds. */
  add: string;
  blank: Omit<Rule, 'key'>;
  onChange: (rules: Rule[]) => void;
  /** The fields of a rule. */
  children: (fields: Fields<Rule>, index: number) => ReactNode;
};

const most = 20;

/** Rules of a step, each with its fields in a row. */
export function RuleList<Rule extends Keyed>({ legend, rules, add, blank, onChange, children }: Props<Rule>) {
  return (
    <fieldset className={classes.rules}>
      <legend>{legend}</legend>
      {rules.map((rule, index) => (
        <div key={rule.key} className={classes.rule}>
          {children({ form: rule, set: (part) => onChange(rules.with(index, { ...rule, ...part })) }, index)}
          <Button variant="default" onClick={() => onChange(rules.toSpliced(index, 1))}>
            Remove
          </Button>
        </div>
      ))}
      <div>
        <ActionButton
          variant="default"
          size="compact-sm"
          blocked={rules.length >= most}
          onClick={() => onChange([...rules, { ...blank, key: newKey() } as Rule])}
        >
          {add}
        </ActionButton>
      </div>
    </fieldset>
  );
}
