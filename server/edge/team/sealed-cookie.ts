import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { z } from 'zod';

/**
 * What a browser carries from the first half of a sign-in to the second: encrypted and authenticated, so that nobody else
 * can read or make one, and good for one use within ten minutes. The server stores nothing for those who only begin.
 */
type SealedCookie<Facts> = {
  /** The value of a `Set-Cookie` header. */
  seal(facts: Facts): Promise<string>;
  /** Null for none, a forged or an old one, and the second time. */
  open(headers: IncomingHttpHeaders): Promise<Facts | null>;
  /** The value of a `Set-Cookie` header that removes it. */
  readonly removal: string;
};

const lifeMs = 10 * 60_000;

/** @param secure whether people reach the server over HTTPS */
export function openSealedCookie<Facts>(
  purpose: string,
  schema: z.ZodType<Facts>,
  { secret, secure }: { secret: string; secure: boolean },
): SealedCookie<Facts> {
  const name = `${secure ? '__Host-' : ''}tls-toll.${purpose}`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const key = `${purpose} ${secret}`;
  const sealedSchema = z.object({ id: z.string(), until: z.number(), facts: schema });
  /** When they would have ended, by id. */
  const used = new Map<string, number>();

  return {
    async seal(facts) {
      const id = randomBytes(16).toString('base64url');
      const data = JSON.stringify({ id, until: Date.now() + lifeMs, facts });
      return `${name}=${await symmetricEncrypt({ key, data })}; Max-Age=${lifeMs / 1000}; ${attributes}`;
    },
    async open({ cookie = '' }) {
      const text = valueIn(cookie, name);
      if (text === null) return null;
      const data = await symmetricDecrypt({ key, data: text }).catch(() => null);
      if (data === null) return null;
      const parsed = sealedSchema.safeParse(JSON.parse(data));
      // Sealed by another version.
      if (!parsed.success) return null;
      const { id, until, facts } = parsed.data;
      const now = Date.now();
      for (const [each, end] of used) if (end <= now) used.delete(each);
      if (until <= now || used.has(id)) return null;
      used.set(id, until);
      return facts;
    },
    removal: `${name}=; Max-Age=0; ${attributes}`,
  };
}

function valueIn(cookies: string, name: string): string | null {
  const found = cookies.split(/; */).find((each) => each.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? null;
}
