import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type Method, methodSchema } from '../../../../shared/scenario/scenario.ts';
import { ChecksField } from './checks-field.tsx';
import { type Messages, messageAt, type StepDraft } from './draft.ts';
import classes from './editor.module.css';
import { ExtractionsField } from './extractions-field.tsx';

type Props = {
  step: StepDraft;
  at: string;
  messages: Messages;
  onChange: (change: Partial<StepDraft>) => void;
};

export function StepFields({ step, at, messages, onChange }: Props) {
  const wrong = (field: string) => messageAt(messages, `${at}.${field}`);
  return (
    <>
      <div className={classes.fields}>
        <TextInput
          label="Step name"
          value={step.name}
          error={wrong('name')}
          maxLength={100}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <NativeSelect
          label="Method"
          value={step.method}
          onChange={(event) => onChange({ method: event.currentTarget.value as Method })}
          data={methodSchema.options}
        />
        <TextInput
          label="Expected status"
          value={step.expectStatus}
          error={wrong('expectStatus')}
          inputMode="numeric"
          onChange={(event) => onChange({ expectStatus: event.currentTarget.value })}
        />
        <TextInput
          label="Think time, ms"
          value={step.thinkTimeMs}
          error={wrong('thinkTimeMs')}
          inputMode="numeric"
          onChange={(event) => onChange({ thinkTimeMs: event.currentTarget.value })}
        />
      </div>
      <TextInput
        label="Path"
        description={`Write variables as \${name} and secrets as \${secret:name}, also in headers and body.`}
        value={step.path}
        error={wrong('path')}
        onChange={(event) => onChange({ path: event.currentTarget.value })}
        classNames={{ input: classes.code ?? '' }}
        spellCheck={false}
      />
      <div className={classes.pair}>
        <Textarea
          label="Headers"
          description="One per line, such as accept: text/html"
          value={step.headers}
          error={wrong('headers')}
          rows={4}
          onChange={(event) => onChange({ headers: event.currentTarget.value })}
          classNames={{ input: classes.code ?? '' }}
          spellCheck={false}
        />
        <Textarea
          label="Body"
          description="Leave empty for none"
          value={step.body}
          error={wrong('body')}
          rows={4}
          onChange={(event) => onChange({ body: event.currentTarget.value })}
          classNames={{ input: classes.code ?? '' }}
          spellCheck={false}
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
