import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** A way to another screen that weighs as much as a button. */
export function LinkButton({
  to,
  variant = 'default',
  children,
}: {
  to: string;
  variant?: 'default' | 'filled';
  children: ReactNode;
}) {
  return (
    <Button component={Link} to={to} variant={variant}>
      {children}
    </Button>
  );
}
