import { Button } from '@mantine/core';
import { ActionButton } from '../../../components/action-button.tsx';
import { Badge } from '../../../components/badge.tsx';
import { printCount } from '../../../format/count.ts';
import classes from '../scenarios.module.css';
import { type Messages, messageAt, type StepDraft } from './draft.ts';
import { StepFields } from './step-fields.tsx';

type Props = {
  step: StepDraft;
  number: number;
  last: boolean;
  only: boolean;
  open: boolean;
  /** Where its messages are. */
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
export function StepItem(props: Props) {
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
