import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../api/account-query.ts';
import { problemOf } from '../../api/problem-of.ts';
import { Card } from '../../components/card.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { PasswordForm } from './password-form.tsx';

/** The password of a reader who has one. */
export function OwnSignIn() {
  const { data: account, error } = useQuery(accountQuery);
  if (account === undefined) {
    return error === null ? (
      <Waiting>Loading your account</Waiting>
    ) : (
      <ProblemNotice problem={problemOf(error)} />
    );
  }
  if (!account.password) return null;
  return (
    <Section id="password" title="Password" lead="Changing it signs you out of every other browser.">
      <Card>
        <PasswordForm />
      </Card>
    </Section>
  );
}
