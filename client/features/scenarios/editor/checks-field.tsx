import { SelectField, TextField } from '../../../components/form-fields.tsx';
import { type Messages, messageAt } from './draft.ts';
import type { CheckDraft } from './rule-drafts.ts';
import { RuleList } from './rule-list.tsx';

type Props = {
  checks: CheckDraft[];
  at: string;
  messages: Messages;
  onChange: (checks: CheckDraft[]) => void;
};

/** What must hold of the response besides its status. */
export function ChecksField({ checks, at, messages, onChange }: Props) {
  return (
    <RuleList
      legend="Checks"
      rules={checks}
      add="Add check"
      blank={{ type: 'body_contains', text: '', equals: '' }}
      onChange={onChange}
    >
      {(fields, index) => {
        const isPath = fields.form.type === 'json_path';
        return (
          <>
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
          </>
        );
      }}
    </RuleList>
  );
}
