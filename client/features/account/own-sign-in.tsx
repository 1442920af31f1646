import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../api/account-query.ts';
import { troubleOf } from '../../api/trouble.ts';
import { Card } from '../../components/card.tsx';
import { Section } from '../../components/section.tsx';
import { TroubleNotice } from '../../components/trouble-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { PasswordForm } from './password-form.tsx';

/** The password of a reader who has one. */
export function OwnSignIn() {
  const { data: account, error } = useQuery(accountQuery);
  if (account === undefined) {
    return error === null ? (
      <Waiting>Loading your account</Waiting>
    ) : (
      <TroubleNotice trouble={troubleOf(error)} />
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
