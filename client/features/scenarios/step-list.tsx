import { Button } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { methodSchema } from '../../../shared/scenario/scenario.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Badge } from '../../components/card.tsx';
import { AreaField, SelectField, TextField } from '../../components/form-fields.tsx';
import { printCount } from '../../format/printed-figures.ts';
import {
  type CheckDraft,
  type Draft,
  type ExtractionDraft,
  emptyStep,
  type Messages,
  messageAt,
  newKey,
  type SetDraft,
  type StepDraft,
} from './scenario-draft.ts';
import classes from './scenarios.module.css';

type Props = { draft: Draft; set: SetDraft; messages: Messages };

/** The steps in the order in which they are sent; one is open at a time. */
export function StepList({ draft: { steps }, set, messages }: Props) {
  const [open, setOpen] = useState<number | null>(null);
  const list = useRef<HTMLOListElement>(null);

  function add(next: StepDraft[], opened: StepDraft | undefined) {
    set({ steps: next });
    setOpen(opened?.key ?? null);
  }
  function remove(index: number) {
    set({ steps: steps.toSpliced(index, 1) });
    // The button that was pressed has gone.
    list.current?.focus();
  }
  return (
    <section className={classes.section} aria-labelledby="steps-title">
      <h2 id="steps-title">Steps</h2>
      <ol className="stack plain tight" ref={list} tabIndex={-1} aria-labelledby="steps-title">
        {steps.map((step, index) => (
          <StepItem
            key={step.key}
            step={step}
            number={index + 1}
            last={index === steps.length - 1}
            only={steps.length === 1}
            open={open === step.key}
            at={`steps.${index}`}
            messages={messages}
            onToggle={() => setOpen(open === step.key ? null : step.key)}
            onChange={(change) => set({ steps: steps.with(index, { ...step, ...change }) })}
            onMove={(by) => set({ steps: moveStep(steps, index, by) })}
            onDuplicate={() => {
              const next = duplicateStep(steps, index);
              add(next, next[index + 1]);
            }}
            onRemove={() => remove(index)}
          />
        ))}
      </ol>
      {messageAt(messages, 'steps') === undefined || steps.length > 0 ? null : (
        <p className={classes.wrong}>A scenario needs at least one step.</p>
      )}
      <div>
        <ActionButton
          variant="default"
          blocked={steps.length >= 50}
          onClick={() => {
            const step = emptyStep();
            add([...steps, step], step);
          }}
        >
          Add step
        </ActionButton>
      </div>
    </section>
  );
}

/** Changes of the list of steps, each giving a new list. */

export function moveStep(steps: readonly StepDraft[], from: number, by: -1 | 1): StepDraft[] {
  const to = from + by;
  const [moved, other] = [steps[from], steps[to]];
  if (moved === undefined || other === undefined) return [...steps];
  return steps.with(from, other).with(to, moved);
}

export function duplicateStep(steps: readonly StepDraft[], index: number): StepDraft[] {
  const step = steps[index];
  if (step === undefined) return [...steps];
  const copy: StepDraft = {
    ...step,
    key: newKey(),
    name: `${step.name} again`.slice(0, 100),
    checks: step.checks.map((check) => ({ ...check, key: newKey() })),
    extract: step.extract.map((rule) => ({ ...rule, key: newKey() })),
  };
  return steps.toSpliced(index + 1, 0, copy);
}

type ItemProps = {
  step: StepDraft;
  number: number;
  last: boolean;
  only: boolean;
  open: boolean;
  /** Path of the step in messages. */
  at: string;
  messages: Messages;
  onToggle: () => void;
  onChange: (change: Partial<StepDraft>) => void;
  onMove: (by: -1 | 1) => void;
  onDuplicate: () => void;
  onRemove: () => void;
};

const moves = [
  { word: 'Up', by: -1 },
  { word: 'Down', by: 1 },
] as const;

/** One step in a line, and its fields below when it is open. */
function StepItem(props: ItemProps) {
  const { step, number, last, only, open, at, messages, onToggle, onChange, onMove } = props;
  const { name, enabled, method, path, key } = step;
  const wrong = messageAt(messages, at) !== undefined;
  return (
    <li className={classes.stepListStep} data-off={!enabled}>
      <div className={classes.stepListLine}>
        <input
          type="checkbox"
          className={classes.switch}
          checked={enabled}
          aria-label={`Send step ${number}, ${name}`}
          onChange={(event) => onChange({ enabled: event.currentTarget.checked })}
        />
        <button
          type="button"
          className={classes.stepListHead}
          aria-expanded={open}
          aria-controls={open ? `step-${key}` : undefined}
          onClick={onToggle}
        >
          <span className={classes.name}>
            {number}. {name}
          </span>
          <code>
            {method} {path}
          </code>
          <span className={classes.stepListFacts}>{factsOf(step)}</span>
        </button>
        {enabled ? null : <Badge tone="quiet">Off</Badge>}
        {wrong ? <Badge tone="bad">Invalid</Badge> : null}
        <div className={classes.moves}>
          {moves.map(({ word, by }) => (
            <ActionButton
              key={word}
              size="compact-sm"
              variant="default"
              blocked={by < 0 ? number === 1 : last}
              aria-label={`${word}: ${name}`}
              onClick={() => onMove(by)}
            >
              {word}
            </ActionButton>
          ))}
        </div>
      </div>
      {open ? (
        <div id={`step-${key}`} className={classes.stepListFields}>
          <StepFields step={step} at={at} messages={messages} onChange={onChange} />
          <div className={classes.moves}>
            <Button variant="default" onClick={props.onDuplicate}>
              Duplicate
            </Button>
            <ActionButton variant="default" blocked={only} onClick={props.onRemove}>
              Delete step
            </ActionButton>
          </div>
        </div>
      ) : null}
    </li>
  );
}

function factsOf({ expectStatus, thinkTimeMs, checks, extract }: StepDraft): string {
  const taken = extract.map(({ variable }) => variable).filter((name) => name !== '');
  return [
    ...(expectStatus === '200' ? [] : [`expects ${expectStatus}`]),
    ...(thinkTimeMs === '0' ? [] : [`after ${thinkTimeMs} ms`]),
    ...(checks.length === 0 ? [] : [printCount(checks.length, 'check')]),
    ...(taken.length === 0 ? [] : [`extracts ${taken.join(', ')}`]),
  ].join(' · ');
}

type FieldsProps = {
  step: StepDraft;
  at: string;
  messages: Messages;
  onChange: (change: Partial<StepDraft>) => void;
};

function StepFields({ step, at, messages, onChange }: FieldsProps) {
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

type FieldProps = {
  checks: CheckDraft[];
  at: string;
  messages: Messages;
  onChange: (checks: CheckDraft[]) => void;
};

/** Checks of the response, apart from its status. */
function ChecksField({ checks, at, messages, onChange }: FieldProps) {
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

type ExtractionsFieldProps = {
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
function ExtractionsField({ rules, at, messages, onChange }: ExtractionsFieldProps) {
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

type Keyed = { key: number };

type Fields<Rule> = { form: Rule; set: (part: Partial<Rule>) => void };

type ListProps<Rule> = {
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
function RuleList<Rule extends Keyed>({ legend, rules, add, blank, onChange, children }: ListProps<Rule>) {
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
