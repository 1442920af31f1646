import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionEndpoints } from '../../../shared/api/session-endpoints.ts';
import { parseSignInProblem } from '../../../shared/team/sign-in-problem.ts';
import { identity } from '../../api/identity.ts';
import { callEndpoint } from '../../api/late-call.ts';
import { ActionButton, PageHead } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Card, Notice } from '../../components/card.tsx';
import { Form, SecretField, TextField } from '../../components/form-fields.tsx';
import classes from './sign-in.module.css';

/** In place of every page that needs it. The address stays, so that signing in leads to where the reader wanted to go. */
export default function SignInPage() {
  const [form, setForm] = useState({ email: '', password: '' });
  const signIn = useMutation({
    mutationFn: () => callEndpoint(sessionEndpoints.signIn, { body: form }),
    onSuccess: enter,
  });
  const fields = {
    ...{ form, required: true },
    set: (change: Partial<typeof form>) => setForm((now) => ({ ...now, ...change })),
  };
  return (
    <div className={classes.page}>
      <PageHead tab="Sign in" title="Sign in" />
      <SignInProblem />
      <Card>
        <Form className={classes.form} onSubmit={() => signIn.mutate()}>
          <TextField
            {...fields}
            name="email"
            label="Email address"
            type="email"
            autoComplete="username"
            maxLength={254}
          />
          <SecretField
            {...fields}
            name="password"
            label="Password"
            autoComplete="current-password"
            maxLength={128}
          />
          <ProblemNotice error={signIn.error} />
          <ActionButton type="submit" pending={signIn.isPending || signIn.isSuccess}>
            Sign in
          </ActionButton>
        </Form>
        <OtherWay />
      </Card>
      <p>No account yet? Ask an admin of this server to add you.</p>
    </div>
  );
}

/** Why the identity provider led back here without a session. */
function SignInProblem() {
  const problem = parseSignInProblem(location.hash);
  if (problem === null) return null;
  return (
    <Notice tone="bad" title={problem.title} announce="alert">
      <p>{problem.advice}</p>
    </Notice>
  );
}

function OtherWay() {
  const provider = identity?.ways.provider ?? null;
  if (provider === null) return null;
  return (
    <div className={classes.other}>
      <ProviderButton name={provider} />
    </div>
  );
}

/** The same page for somebody, without what led here. */
function enter(): void {
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  location.reload();
}

/** Leaves for the identity provider, which leads back to this page. */
export function ProviderButton({ name }: { name: string }) {
  const start = useMutation({
    mutationFn: () =>
      callEndpoint(sessionEndpoints.startProviderSignIn, {
        body: { returnTo: `${location.pathname}${location.search}` },
      }),
    onSuccess: ({ url }) => location.assign(url),
  });
  return (
    <>
      <ProblemNotice error={start.error} />
      <ActionButton
        variant="default"
        pending={start.isPending || start.isSuccess}
        onClick={() => start.mutate()}
      >
        Sign in with {name}
      </ActionButton>
    </>
  );
}
