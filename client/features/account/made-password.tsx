import type { CreatedUser } from '../../../shared/team.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Notice } from '../../components/notice.tsx';
import classes from './account.module.css';

/** The one time that a password is shown. */
export function MadePassword({ user: { email, password } }: { user: CreatedUser }) {
  return (
    <Notice tone="note" title={`Password of ${email}`} announce="status">
      <p>It is shown only once. Hand it over in a safe way.</p>
      <p className={classes.password}>{password}</p>
      <div>
        <CopyButton text={password}>Copy password</CopyButton>
      </div>
    </Notice>
  );
}
