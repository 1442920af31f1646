import { Button, NativeSelect, TextInput } from '@mantine/core';
import { ActionButton } from '../../../components/action-button.tsx';
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
      {checks.map((check, index) => (
        <div key={check.key} className={classes.rule}>
          <NativeSelect
            label="Response body"
            value={check.type}
            onChange={(event) => change(index, { type: event.currentTarget.value as CheckDraft['type'] })}
            data={[
              { value: 'body_contains', label: 'contains' },
              { value: 'json_path', label: 'has JSON path' },
            ]}
          />
          <TextInput
            label={check.type === 'json_path' ? 'Path' : 'Text'}
            placeholder={check.type === 'json_path' ? '$.items[0].id' : ''}
            value={check.text}
            error={messageAt(messages, `${at}.checks.${index}`)}
            onChange={(event) => change(index, { text: event.currentTarget.value })}
          />
          {check.type === 'json_path' ? (
            <TextInput
              label="Value"
              placeholder="any"
              value={check.equals}
              onChange={(event) => change(index, { equals: event.currentTarget.value })}
            />
          ) : null}
          <Button variant="default" onClick={() => onChange(checks.toSpliced(index, 1))}>
            Remove
          </Button>
        </div>
      ))}
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
