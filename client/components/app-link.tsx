import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useScopedId } from './id-scope.ts';
import { served } from './served.ts';

type Props = { to: string; id?: string; className?: string | undefined; children: ReactNode };

/** A link to another screen; its words alone where no server is. */
export function AppLink({ to, id, className, children }: Props) {
  const own = useScopedId(id ?? '');
  if (served) {
    return (
      <Link to={to} id={id} className={className}>
        {children}
      </Link>
    );
  }
  return (
    <span id={id === undefined ? id : own} className={className}>
      {children}
    </span>
  );
}
