import type { ReactNode } from 'react';
import { type CreateMeasurement, useCreateMeasurement } from '../api/use-create-measurement.ts';
import { ActionButton } from './action-button.tsx';
import { ButtonRow } from './button-row.tsx';
import { LinkButton } from './link-button.tsx';
import classes from './page.module.css';
import { ProblemNotice } from './problem-notice.tsx';

/** Where to go from a result: to a page, or straight to another measurement. */
export type Step = { title: string } & ({ to: string } | { request: CreateMeasurement });

type Props = { steps: readonly Step[]; children?: ReactNode };

/** The likeliest step first. */
export function StepButtons({ steps: [first, ...others], children }: Props) {
  return (
    <div className={classes.next}>
      <ButtonRow>
        {first === undefined ? null : <StepButton step={first} variant="filled" />}
        {others.map((step) => (
          <StepButton key={step.title} step={step} />
        ))}
        {children}
      </ButtonRow>
    </div>
  );
}

function StepButton({ step, variant = 'default' }: { step: Step; variant?: 'filled' | 'default' }) {
  const launch = useCreateMeasurement();
  if ('to' in step) {
    return (
      <LinkButton to={step.to} variant={variant}>
        {step.title}
      </LinkButton>
    );
  }
  return (
    <>
      <ActionButton variant={variant} pending={launch.isPending} onClick={() => launch.mutate(step.request)}>
        {step.title}
      </ActionButton>
      <ProblemNotice error={launch.error} />
    </>
  );
}
