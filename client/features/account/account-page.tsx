import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { auditEndpoints } from '../../../shared/api/audit-endpoints.ts';
import { teamEndpoints } from '../../../shared/api/team-endpoints.ts';
import { accountQuery } from '../../api/account-query.ts';
import { identity, mayCall } from '../../api/identity.ts';
import { Answer } from '../../components/answer.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Section } from '../../components/section.tsx';
import classes from './account.module.css';
import { KeysSection } from './keys-section.tsx';
import { PasswordForm } from './password-form.tsx';
import { UsersSection } from './users-section.tsx';

/** The reader's own account, and for admins those of everybody. */
export default function AccountPage() {
  const actor = identity?.actor ?? null;
  if (actor === null) {
    return (
      <PageHead tab="Account" title="Account">
        <p>Nobody needs to sign in to this server.</p>
      </PageHead>
    );
  }
  return (
    <>
      <PageHead tab="Account" title="Account">
        <p className={classes.who}>
          You are signed in as {actor.name}, with the role {actor.role}.
        </p>
        {mayCall(auditEndpoints.listAudit) ? <Link to="/audit">Audit log</Link> : null}
      </PageHead>
      {mayCall(teamEndpoints.listUsers) ? <UsersSection /> : null}
      <KeysSection role={actor.role} />
      <OwnSignIn />
    </>
  );
}

/** The password of a reader who has one. */
function OwnSignIn() {
  return (
    <Answer of={useQuery(accountQuery)} waiting="Loading your account">
      {({ password }) =>
        password ? (
          <Section
            id="password"
            title="Password"
            lead="Changing it signs you out of every other browser."
            card
          >
            <PasswordForm />
          </Section>
        ) : null
      }
    </Answer>
  );
}
