import type { CheckId } from '../../../shared/preflight.ts';

/** What stops the inspection of one side: the check that it fails, and why in a sentence. */
export class Obstacle extends Error {
  readonly check: CheckId;

  constructor(check: CheckId, message: string) {
    super(message);
    this.name = 'Obstacle';
    this.check = check;
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
