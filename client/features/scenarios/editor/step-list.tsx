import { useRef, useState } from 'react';
import { ActionButton } from '../../../components/action-button.tsx';
import classes from '../scenarios.module.css';
import { type Draft, emptyStep, type Messages, messageAt, type SetDraft, type StepDraft } from './draft.ts';
import { duplicateStep, moveStep } from './edit-steps.ts';
import { StepItem } from './step-item.tsx';

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
