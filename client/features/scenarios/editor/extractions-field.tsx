import { Button } from '@mantine/core';
import { ActionButton } from '../../../components/action-button.tsx';
import { SelectField, TextField } from '../../../components/form-fields.tsx';
import { type Messages, messageAt, newKey } from './draft.ts';
import classes from './editor.module.css';
import type { ExtractionDraft } from './rule-drafts.ts';

type Props = {
  rules: ExtractionDraft[];
  at: string;
  messages: Messages;
  onChange: (rules: ExtractionDraft[]) => void;
};

const sources: { value: ExtractionDraft['from']; label: string; name?: string; pattern?: string }[] = [
  { value: 'hidden_input', label: 'form input', name: 'Input name' },
  { value: 'json_path', label: 'JSON body', pattern: 'Path' },
  { value: 'header', label: 'header', name: 'Header name', pattern: 'Pattern (optional)' },
  { value: 'regex', label: 'body, by pattern', pattern: 'Pattern (first group is the value)' },
];

/** Values that later steps send. */
export function ExtractionsField({ rules, at, messages, onChange }: Props) {
  const change = (index: number, part: Partial<ExtractionDraft>) =>
    onChange(rules.map((rule, i) => (i === index ? { ...rule, ...part } : rule)));
  return (
    <fieldset className={classes.rules}>
      <legend>Extracted variables</legend>
      {rules.map((rule, index) => {
        const source = sources.find(({ value }) => value === rule.from);
        const wrong = (field: string) => messageAt(messages, `${at}.extract.${index}.${field}`);
        const fields = {
          ...{ form: rule, messages: wrong },
          set: (part: Partial<ExtractionDraft>) => change(index, part),
        };
        return (
          <div key={rule.key} className={classes.rule}>
            <TextField {...fields} name="variable" label="Variable" placeholder="token" />
            <SelectField
              {...fields}
              name="from"
              label="From"
              data={sources.map(({ value, label }) => ({ value, label }))}
            />
            {source?.name === undefined ? null : <TextField {...fields} name="name" label={source.name} />}
            {source?.pattern === undefined ? null : (
              <TextField
                {...fields}
                name="pattern"
                label={source.pattern}
                error={wrong('pattern') ?? wrong('path')}
              />
            )}
            <Button variant="default" onClick={() => onChange(rules.toSpliced(index, 1))}>
              Remove
            </Button>
          </div>
        );
      })}
      <div>
        <ActionButton
          variant="default"
          size="compact-sm"
          blocked={rules.length >= 20}
          onClick={() =>
            onChange([...rules, { key: newKey(), from: 'hidden_input', variable: '', name: '', pattern: '' }])
          }
        >
          Add variable
        </ActionButton>
      </div>
    </fieldset>
  );
}
