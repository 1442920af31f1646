import { PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionEndpoints } from '../../../shared/api/session-endpoints.ts';
import { parseSignInProblem } from '../../../shared/team/sign-in-problem.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { identity } from '../../api/identity.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Card } from '../../components/card.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { ProviderButton } from './provider-button.tsx';
import classes from './sign-in-page.module.css';

/** In place of every page that needs it. The address stays, so that signing in leads to where the reader wanted to go. */
export default function SignInPage() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => callEndpoint(sessionEndpoints.signIn, { body: { email, password } }),
    onSuccess: enter,
  });
  return (
    <div className={classes.page}>
      <PageHead tab="Sign in" title="Sign in" />
      <SignInProblem />
      <Card>
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (!signIn.isPending && !signIn.isSuccess) signIn.mutate();
          }}
        >
          <TextInput
            label="Email address"
            type="email"
            name="email"
            autoComplete="username"
            required
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            maxLength={128}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <ProblemNotice error={signIn.error} />
          <ActionButton type="submit" pending={signIn.isPending || signIn.isSuccess}>
            Sign in
          </ActionButton>
        </form>
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
