import { Button, PasswordInput, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { permitEndpoints } from '../../shared/api/housekeeping-endpoints.ts';
import { type Problem, ProblemError } from '../../shared/base/problem.ts';
import { callEndpoint } from '../api/late-call.ts';
import { type CreateMeasurement, useCreateMeasurement } from '../api/use-create-measurement.ts';
import { ActionButton, ButtonRow } from './action-button.tsx';
import { ProblemNotice } from './answer.tsx';
import { Dialog } from './dialog.tsx';
import { Form } from './form-fields.tsx';
import { LinkButton } from './links.tsx';
import classes from './page.module.css';

type Props = {
  /** Such as `run`. */
  what: string;
  /** Figures that would be kept, in a sentence or two. */
  children: ReactNode;
  onCancel: (keep: boolean) => Promise<unknown>;
};

export function CancelButton({ what, children, onCancel }: Props) {
  const [asking, setAsking] = useState(false);
  const cancel = useMutation({ mutationFn: onCancel, onSuccess: () => setAsking(false) });
  return (
    <div>
      <ActionButton
        variant="default"
        blocked={cancel.isSuccess}
        onClick={() => {
          cancel.reset();
          setAsking(true);
        }}
      >
        {cancel.isSuccess ? 'Canceling' : `Cancel the ${what}`}
      </ActionButton>
      <Dialog open={asking} onClose={() => setAsking(false)} title={`Cancel this ${what}?`}>
        <p>{children} It ends within 5 s.</p>
        <ProblemNotice error={cancel.error} />
        <ButtonRow>
          <ActionButton blocked={cancel.isPending} onClick={() => cancel.mutate(true)}>
            Cancel and keep
          </ActionButton>
          <ActionButton variant="default" blocked={cancel.isPending} onClick={() => cancel.mutate(false)}>
            Cancel and discard
          </ActionButton>
          <Button variant="subtle" onClick={() => setAsking(false)}>
            Keep measuring
          </Button>
        </ButtonRow>
      </Dialog>
    </div>
  );
}

/** Secret that is not stored, so it must be entered again. */
export type AskedSecret = { name: string; label: string /** It has several. */; lines?: boolean };

/** Next step after a result: a page, or another measurement once its secrets are entered. */
export type Step = { title: string } & (
  | { to: string }
  | { request: CreateMeasurement; asks?: readonly AskedSecret[] }
);

type ButtonsProps = { steps: readonly Step[]; children?: ReactNode };

/** The likeliest step first. */
export function StepButtons({ steps: [first, ...others], children }: ButtonsProps) {
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
  const { title, request, asks = [] } = step;
  const refusal = launch.error instanceof ProblemError ? launch.error.problem : null;
  const trusting = refusal === null ? null : trustingRequest(request, refusal);
  if (asks.length > 0) return <AskingButton title={title} asks={asks} request={request} variant={variant} />;
  return (
    <>
      <ActionButton variant={variant} pending={launch.isPending} onClick={() => launch.mutate(request)}>
        {title}
      </ActionButton>
      <ProblemNotice error={launch.error} />
      {trusting === null ? null : (
        <ActionButton pending={launch.isPending} onClick={() => launch.mutate(trusting)}>
          {title.replace(/^[^,]*/, 'Trust and start')}
        </ActionButton>
      )}
    </>
  );
}

/** The same with the certificate that stood against it; null if none did, or where none can be trusted. */
export function trustingRequest(
  request: CreateMeasurement,
  { untrusted, errors = [] }: Pick<Problem, 'untrusted' | 'errors'>,
): CreateMeasurement | null {
  if (untrusted === undefined || request.kind !== 'comparison') return null;
  const { target, sides } = request;
  const own = sides?.comparison?.target;
  const isOwn = errors.some(({ field }) => field.startsWith('sides.comparison.target'));
  if (isOwn && own !== undefined)
    return {
      ...request,
      sides: { ...sides, comparison: { ...sides?.comparison, target: { ...own, trust: untrusted } } },
    };
  if (typeof target !== 'object' || !('https' in target)) return null;
  return { ...request, target: { ...target, trust: untrusted } };
}

type AskingProps = {
  title: string;
  asks: readonly AskedSecret[];
  request: CreateMeasurement;
  variant: 'filled' | 'default';
};

/** Opens only the fields for secrets that are not stored, and starts with them. */
function AskingButton({ title, asks, request, variant }: AskingProps) {
  const launch = useCreateMeasurement();
  const [open, setOpen] = useState(false);
  const [secrets, setSecrets] = useState<Record<string, string>>({});
  const missing = asks.filter(({ name }) => (secrets[name] ?? '') === '');
  const fieldOf = ({ name, label, lines = false }: AskedSecret) => {
    const field = {
      ...{ label, value: secrets[name] ?? '', autoComplete: 'off' },
      onChange: (event: { currentTarget: { value: string } }) =>
        setSecrets({ ...secrets, [name]: event.currentTarget.value }),
    };
    return lines ? (
      <Textarea key={name} {...field} rows={4} spellCheck={false} />
    ) : (
      <PasswordInput key={name} {...field} maxLength={8192} />
    );
  };
  return (
    <>
      <Button variant={variant} onClick={() => setOpen(true)}>
        {title}…
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={title}>
        <Form
          className="stack"
          onSubmit={() => missing.length === 0 && launch.mutate({ ...request, secrets })}
        >
          <p>Kept in memory until the run ends. Never stored or shown.</p>
          {asks.map(fieldOf)}
          <ProblemNotice error={launch.error} />
          <ButtonRow>
            <ActionButton type="submit" blocked={missing.length > 0} pending={launch.isPending}>
              {title}
            </ActionButton>
            {missing.length === 0 ? null : (
              <p className="soft">Missing: {missing.map(({ label }) => label).join(', ')}</p>
            )}
          </ButtonRow>
        </Form>
      </Dialog>
    </>
  );
}

/** Ends all load at once. It asks nothing first, because the user is in a hurry. */
export function StopButton() {
  const queryClient = useQueryClient();
  const stop = useMutation({
    mutationFn: () => callEndpoint(permitEndpoints.stopAll),
    onSettled: () => queryClient.invalidateQueries(),
  });
  return (
    <div>
      <ActionButton variant="default" pending={stop.isPending} onClick={() => stop.mutate()}>
        Stop all load
      </ActionButton>
      {stop.data === undefined ? null : <p role="status">{stoppedText(stop.data.stopped)}</p>}
      <ProblemNotice error={stop.error} />
    </div>
  );
}

function stoppedText(stopped: number): string {
  return stopped === 0 ? 'Nothing was running.' : 'All load has stopped.';
}
