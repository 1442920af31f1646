import type { RecordedHeaders } from '../../../../shared/scenario/recording.ts';
import { headerNameSchema } from '../../../../shared/scenario/scenario.ts';
import { asBytes } from '../as-bytes.ts';
import { trimmed } from './trimmed.ts';

/** The headers of -H as curl reads them. */
export type GivenHeaders = {
  sent: RecordedHeaders;
  /** In lower case; those that are only taken away among them. */
  named: ReadonlySet<string>;
};

/**
 * `Name: value` is sent, `Name;` is sent empty, `Name:` takes away what curl would send itself, and anything else is nothing.
 * White space around the value is not part of it.
 */
export function readHeaders(lines: readonly string[]): GivenHeaders {
  const sent: RecordedHeaders = [];
  const named = new Set<string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const at = colon < 0 && line.endsWith(';') ? line.indexOf(';') : colon;
    if (at <= 0 || (colon < 0 && at < line.length - 1)) continue;
    const name = line.slice(0, at);
    // Other white space is a byte of a character here.
    const value = trimmed(asBytes(line.slice(at + 1)), ' \t');
    named.add(name.toLowerCase());
    if (value !== '' || colon < 0) sent.push([name, value]);
  }
  return { sent, named };
}

/** Why a scenario cannot have the header, as a sentence; null when it can. */
export function headerProblem([name, value]: readonly [name: string, value: string]): string | null {
  if (!headerNameSchema.safeParse(name).success || name === '__proto__') {
    return 'A header has a name that HTTP does not allow.';
  }
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    return `The header ${name} has control characters or line ends in its value.`;
  }
  return value.length > 8192 ? `The header ${name} is longer than 8,192 bytes.` : null;
}
