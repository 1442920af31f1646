import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { NewPasskey, PasskeySignIn } from '../../shared/passkey.ts';

/** For tests: what a browser with one passkey (ES256) answers. Nothing in it is judged; the test says what is signed. */
export type AuthenticatorInTest = {
  create(asked: Asked): NewPasskey['credential'];
  use(asked: Asked & { counter?: number }): PasskeySignIn['credential'];
};

type Asked = {
  challenge: string;
  origin: string;
  rpID: string;
  /** Whether it has verified its user. */
  verified?: boolean;
};

const present = 0x01;
const verifiedFlag = 0x04;
const attested = 0x40;

export function openAuthenticator(): AuthenticatorInTest {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  // CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    bytes(x),
    Buffer.from('225820', 'hex'),
    bytes(y),
  ]);
  const named = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
  } as const;

  const clientData = (type: string, { challenge, origin }: Asked) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  function authenticatorData({ rpID, verified = true }: Asked, flags: number, counter: number): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(present | flags | (verified ? verifiedFlag : 0), 0);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([hash(Buffer.from(rpID)), head]);
  }

  return {
    create(asked) {
      const authData = Buffer.concat([
        authenticatorData(asked, attested, 0),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        cose,
      ]);
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": …}
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x58, authData.length]),
        authData,
      ]);
      return {
        ...named,
        response: {
          clientDataJSON: clientData('webauthn.create', asked).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    use(asked) {
      const data = clientData('webauthn.get', asked);
      const authData = authenticatorData(asked, 0, asked.counter ?? 0);
      const signature = sign('sha256', Buffer.concat([authData, hash(data)]), privateKey);
      return {
        ...named,
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      };
    },
  };
}

const hash = (data: Buffer) => createHash('sha256').update(data).digest();
