import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../api/account-query.ts';
import { identity } from '../../api/identity.ts';
import { troubleOf } from '../../api/trouble.ts';
import { Card } from '../../components/card.tsx';
import { Section } from '../../components/section.tsx';
import { TroubleNotice } from '../../components/trouble-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { PasswordForm } from './password-form.tsx';

/** How the reader signs in: passkeys where the server has them, and the password of those who have one. */
export function OwnSignIn() {
  const { data: account, error } = useQuery(accountQuery);
  if (account === undefined) {
    return error === null ? (
      <Waiting>Loading your account</Waiting>
    ) : (
      <TroubleNotice trouble={troubleOf(error)} />
    );
  }
  return (
    <>
      {identity?.ways.passkeys === true ? <PasskeysSection passkeys={account.passkeys} /> : null}
      {account.password ? (
        <Section id="password" title="Password" lead="Changing it signs you out of every other browser.">
          <Card>
            <PasswordForm />
          </Card>
        </Section>
      ) : null}
    </>
  );
}
