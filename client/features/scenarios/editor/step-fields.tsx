import { methodSchema } from '../../../../shared/scenario/scenario.ts';
import { AreaField, SelectField, TextField } from '../../../components/form-fields.tsx';
import classes from '../scenarios.module.css';
import { ChecksField } from './checks-field.tsx';
import { type Messages, messageAt, type StepDraft } from './draft.ts';
import { ExtractionsField } from './extractions-field.tsx';

type Props = {
  step: StepDraft;
  at: string;
  messages: Messages;
  onChange: (change: Partial<StepDraft>) => void;
};

export function StepFields({ step, at, messages, onChange }: Props) {
  const fields = {
    ...{ form: step, set: onChange },
    messages: (field: string) => messageAt(messages, `${at}.${field}`),
  };
  return (
    <>
      <div className={classes.editorFields}>
        <TextField {...fields} name="name" label="Step name" maxLength={100} />
        <SelectField {...fields} name="method" label="Method" data={methodSchema.options} />
        <TextField {...fields} name="expectStatus" label="Expected status" inputMode="numeric" />
        <TextField {...fields} name="thinkTimeMs" label="Think time, ms" inputMode="numeric" />
      </div>
      <TextField
        {...fields}
        name="path"
        label="Path"
        description={`Write variables as \${name} and secrets as \${secret:name}, also in headers and body.`}
        classNames={{ input: 'code' }}
      />
      <div className={classes.pair}>
        <AreaField
          {...fields}
          name="headers"
          label="Headers"
          description="One per line, such as accept: text/html"
          rows={4}
          classNames={{ input: 'code' }}
        />
        <AreaField
          {...fields}
          name="body"
          label="Body"
          description="Leave empty for none"
          rows={4}
          classNames={{ input: 'code' }}
        />
      </div>
      <ChecksField
        checks={step.checks}
        at={at}
        messages={messages}
        onChange={(checks) => onChange({ checks })}
      />
      <ExtractionsField
        rules={step.extract}
        at={at}
        messages={messages}
        onChange={(extract) => onChange({ extract })}
      />
    </>
  );
}
