import type { Reply } from '../../base/wire/ask.ts';
import { decodeBody } from '../../base/wire/decode-body.ts';
import type { UserScript } from '../../intake/scenario/user-script.ts';

/** As much of a body as the load generator looks at. */
const mostBytes = 10 * 1024 * 1024;

/** A body that is looked at, as far as that goes. */
export class KeptBody {
  bytes = 0;
  readonly #chunks: Buffer[] = [];

  append(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes <= mostBytes) this.#chunks.push(chunk);
  }

  /** Without its content codings; null when it is not what they say, or too long. */
  decoded(contentEncoding: string): Buffer | null {
    if (this.bytes === 0) return nothing;
    if (this.bytes > mostBytes) return null;
    return decodeBody(Buffer.concat(this.#chunks), contentEncoding, mostBytes);
  }
}

const nothing = Buffer.alloc(0);

/** What the script finds wrong with an answer, in words; null when all is well. */
export function examineAnswer(
  user: UserScript,
  step: number,
  { headers, setCookies }: Reply,
  kept: KeptBody,
): string | null {
  const header = (name: string) => headers[name.toLowerCase()];
  const { needsBody } = user.step(step);
  const body = needsBody ? kept.decoded(header('content-encoding') ?? '') : nothing;
  if (body === null) return 'the body is not what its Content-Encoding says, or longer than 10 MiB';
  return user.examine(step, { header, setCookies, body })?.detail ?? null;
}
