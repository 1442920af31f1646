import { type CipherGCMTypes, createCipheriv, createSecretKey, randomBytes } from 'node:crypto';
import type { Calls } from './calls.ts';

/** Lengths in bytes. */
type Kind = { name: string; key: number; nonce: number; authenticates: boolean };

const kinds: Record<string, Kind> = {
  'AES-128-GCM': authenticated('aes-128-gcm', 16),
  'AES-256-GCM': authenticated('aes-256-gcm', 32),
  'AES-128-CCM': authenticated('aes-128-ccm', 16),
  'ChaCha20-Poly1305': authenticated('chacha20-poly1305', 32),
  'AES-128-CBC': bare('aes-128-cbc', 16, 16),
  'AES-192-CBC': bare('aes-192-cbc', 24, 16),
  'AES-256-CBC': bare('aes-256-cbc', 32, 16),
  '3DES-CBC': bare('des-ede3-cbc', 24, 8),
  RC4: bare('rc4', 16, 0),
  'DES-CBC': bare('des-cbc', 8, 8),
  'RC2-CBC': bare('rc2-cbc', 16, 8),
  'IDEA-CBC': bare('idea-cbc', 16, 8),
  'Blowfish-CBC': bare('bf-cbc', 16, 8),
  'CAST5-CBC': bare('cast5-cbc', 16, 8),
};

function authenticated(name: string, key: number): Kind {
  return { name, key, nonce: 12, authenticates: true };
}

function bare(name: string, key: number, nonce: number): Kind {
  return { name, key, nonce, authenticates: false };
}

/** Header of a record, which its tag covers. */
const headerBytes = 13;
const tagBytes = 16;

/** One record: a cipher with its key and nonce, the text, and the tag where there is one. */
export function cipherCalls(primitive: string, bytes: number): Calls | null {
  const kind = kinds[primitive];
  if (kind === undefined) return null;
  const key = createSecretKey(randomBytes(kind.key));
  const text = randomBytes(bytes);
  if (!kind.authenticates) {
    const nonce = kind.nonce === 0 ? null : randomBytes(kind.nonce);
    return { of: { encrypt: () => encrypt(kind.name, key, nonce, text) } };
  }
  const header = randomBytes(headerBytes);
  const nonce = randomBytes(kind.nonce);
  const name = kind.name as CipherGCMTypes;
  return {
    of: {
      encrypt() {
        const cipher = createCipheriv(name, key, nonce, { authTagLength: tagBytes });
        cipher.setAAD(header, { plaintextLength: bytes });
        cipher.update(text);
        cipher.final();
        return cipher.getAuthTag();
      },
    },
  };
}

/** Blocks are whole, so nothing is padded. */
function encrypt(name: string, key: ReturnType<typeof createSecretKey>, nonce: Buffer | null, text: Buffer) {
  const cipher = createCipheriv(name, key, nonce).setAutoPadding(false);
  cipher.update(text);
  return cipher.final();
}
