import { Button } from '@mantine/core';
import { ActionButton } from '../../../components/action-button.tsx';
import { SelectField, TextField } from '../../../components/form-fields.tsx';
import { type Messages, messageAt, newKey } from './draft.ts';
import classes from './editor.module.css';
import type { CheckDraft } from './rule-drafts.ts';

type Props = {
  checks: CheckDraft[];
  at: string;
  messages: Messages;
  onChange: (checks: CheckDraft[]) => void;
};

/** What must hold of the response besides its status. */
export function ChecksField({ checks, at, messages, onChange }: Props) {
  const change = (index: number, part: Partial<CheckDraft>) =>
    onChange(checks.map((check, i) => (i === index ? { ...check, ...part } : check)));
  return (
    <fieldset className={classes.rules}>
      <legend>Checks</legend>
      {checks.map((check, index) => {
        const fields = { form: check, set: (part: Partial<CheckDraft>) => change(index, part) };
        const isPath = check.type === 'json_path';
        return (
          <div key={check.key} className={classes.rule}>
            <SelectField
              {...fields}
              name="type"
              label="Response body"
              data={[
                { value: 'body_contains', label: 'contains' },
                { value: 'json_path', label: 'has JSON path' },
              ]}
            />
            <TextField
              {...fields}
              name="text"
              label={isPath ? 'Path' : 'Text'}
              placeholder={isPath ? '$.items[0].id' : ''}
              error={messageAt(messages, `${at}.checks.${index}`)}
            />
            {isPath ? <TextField {...fields} name="equals" label="Value" placeholder="any" /> : null}
            <Button variant="default" onClick={() => onChange(checks.toSpliced(index, 1))}>
              Remove
            </Button>
          </div>
        );
      })}
      <div>
        <ActionButton
          variant="default"
          size="compact-sm"
          blocked={checks.length >= 20}
          onClick={() =>
            onChange([...checks, { key: newKey(), type: 'body_contains', text: '', equals: '' }])
          }
        >
          Add check
        </ActionButton>
      </div>
    </fieldset>
  );
}
