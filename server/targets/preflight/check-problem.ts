import type { TlsField, TlsVersion } from '../../../shared/base/tls-profile.ts';
import type { CheckId } from '../../../shared/target/preflight.ts';

/** What the user can change so that it stops nothing. */
type WayOut = {
  /** SHA-256 of the certificate that was not accepted. */
  untrusted?: string | undefined;
  /** What was asked for by name, and is not to be had. */
  field?: `tls.${TlsField}` | 'transport' | undefined;
  /** The version of TLS to try instead. */
  otherVersion?: TlsVersion | undefined;
  /** Bytes that the client sent for a handshake that ended without a reason. */
  helloBytes?: number | undefined;
};

/** What stops the inspection of one side: the check that it fails, and why in a sentence. */
export class CheckProblem extends Error {
  readonly check: CheckId;
  readonly wayOut: WayOut;

  constructor(check: CheckId, message: string, wayOut: WayOut = {}) {
    super(message);
    this.name = 'CheckProblem';
    this.check = check;
    this.wayOut = wayOut;
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
