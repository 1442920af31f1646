import { Button, Textarea } from '@mantine/core';
import { sqlExamples } from '../../../shared/measurement/history.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Form } from '../../components/form.tsx';
import classes from './sql.module.css';
import { ViewColumns } from './view-columns.tsx';

type Props = {
  sql: string;
  pending: boolean;
  onChange: (sql: string) => void;
  onRun: (sql: string) => void;
};

export function SqlForm({ sql, pending, onChange, onRun }: Props) {
  return (
    <Form
      className="stack wide"
      noValidate
      onSubmit={() => {
        if (!pending) onRun(sql);
      }}
    >
      <fieldset className={classes.examples}>
        <legend>Examples</legend>
        {sqlExamples.map((example) => (
          <Button
            key={example.title}
            variant="default"
            size="compact-sm"
            disabled={pending}
            onClick={() => onRun(example.sql)}
          >
            {example.title}
          </Button>
        ))}
      </fieldset>
      <Textarea
        label="Query"
        description="One SELECT. Ctrl+Enter runs it."
        classNames={{ input: classes.code ?? '' }}
        autosize
        minRows={5}
        maxRows={24}
        value={sql}
        spellCheck={false}
        autoCapitalize="off"
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <ViewColumns />
      <div>
        <ActionButton type="submit" size="md" pending={pending} blocked={sql.trim() === ''}>
          Run query
        </ActionButton>
      </div>
    </Form>
  );
}
