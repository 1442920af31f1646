import { SelectField, TextField } from '../../../components/form-fields.tsx';
import { type Messages, messageAt } from './draft.ts';
import type { ExtractionDraft } from './rule-drafts.ts';
import { RuleList } from './rule-list.tsx';

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
  return (
    <RuleList
      legend="Extracted variables"
      rules={rules}
      add="Add variable"
      blank={{ from: 'hidden_input', variable: '', name: '', pattern: '' }}
      onChange={onChange}
    >
      {(rule, index) => {
        const source = sources.find(({ value }) => value === rule.form.from);
        const wrong = (field: string) => messageAt(messages, `${at}.extract.${index}.${field}`);
        const fields = { ...rule, messages: wrong };
        return (
          <>
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
          </>
        );
      }}
    </RuleList>
  );
}
