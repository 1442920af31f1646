import { decodeBody } from '../../base/wire/decode-body.ts';
import { mostKeptBytes } from '../../base/wire/kept-bytes.ts';
import type { Failure, Field } from '../../base/wire/reading.ts';
import type { UserScript } from '../../intake/scenario/user-script.ts';

/** What was kept of a response: names in lower case; of the body no more than `mostKeptBytes` of its `bodyBytes`. */
type KeptResponse = { fields: readonly Field[]; body: Buffer; bodyBytes: number };

/** Has the user's script look at a response; null when all is well. */
export function examineKept(user: UserScript, step: number, kept: KeptResponse): Failure | null {
  const header = (wanted: string) => {
    const name = wanted.toLowerCase();
    return kept.fields.find((field) => field[0] === name)?.[1];
  };
  const setCookies = kept.fields.filter(([name]) => name === 'set-cookie').map(([, value]) => value);
  if (!user.step(step).needsBody) return user.examine(step, { header, setCookies, body: nothing });
  if (kept.bodyBytes > mostKeptBytes) return tooLarge;
  const encoding = header('content-encoding');
  const body = encoding === undefined ? kept.body : decodeBody(kept.body, encoding, mostKeptBytes);
  if (body === null) return notAsEncoded;
  return user.examine(step, { header, setCookies, body });
}

const nothing = Buffer.alloc(0);
const tooLarge: Failure = {
  outcome: 'check_failed',
  detail: 'the body is longer than the 10 MiB in which checks and extraction look',
};
const notAsEncoded: Failure = {
  outcome: 'malformed_response',
  detail: 'the body is not what its Content-Encoding says, or longer than 10 MiB without it',
};
