import { useMutation } from '@tanstack/react-query';
import { NavLink } from 'react-router';
import { callEndpoint } from '../api/call-endpoint.ts';
import { identity } from '../api/identity.ts';
import { late } from '../api/late-endpoints.ts';
import classes from './shell.module.css';

/** Who is signed in, and the way out. Nothing on a server without sign-in. */
export function AccountLinks() {
  const signOut = useMutation({
    mutationFn: async () => callEndpoint((await late.session()).signOut),
    // What was loaded for this reader goes with the page.
    onSettled: () => location.assign('/'),
  });
  if (identity === null || identity.actor === null) return null;
  return (
    <div className={classes.account}>
      <NavLink to="/account" className={classes.accountLinksName ?? ''} title={identity.actor.name}>
        {identity.actor.name}
      </NavLink>
      <button type="button" className={classes.out} onClick={() => signOut.mutate()}>
        Sign out
      </button>
    </div>
  );
}
