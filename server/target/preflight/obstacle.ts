import type { CheckId } from '../../../shared/preflight.ts';

/** What stops the inspection of one side: the check that it fails, and why in a sentence. */
export class Obstacle extends Error {
  readonly check: CheckId;
  /** SHA-256 of the certificate that was not accepted. */
  readonly untrusted: string | null;

  constructor(check: CheckId, message: string, untrusted: string | null = null) {
    super(message);
    this.name = 'Obstacle';
    this.check = check;
    this.untrusted = untrusted;
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
