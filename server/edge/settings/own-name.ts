import { hostname } from 'node:os';

/** What a runner is called that was given no name: that of its machine. */
export function ownName(): string {
  return (
    hostname()
      .replaceAll(/[^A-Za-z0-9._-]/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 50) || 'runner'
  );
}
