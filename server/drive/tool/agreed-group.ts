/**
 * The group that a server agreed on, from what it sent in clear: the key share of a ServerHello of TLS 1.3 (RFC 8446, section 4.1.3),
 * or the curve of a ServerKeyExchange of TLS 1.2 (RFC 8422, section 5.4). Null where it says none.
 */
export function agreedGroup(sent: Buffer): string | null {
  let group: number | null = null;
  for (const { type, body } of messagesOf(sent)) {
    if (type === serverHello) group = keyShareOf(body) ?? group;
    else if (type === serverKeyExchange && body[0] === namedCurve) group = body.readUInt16BE(1);
  }
  return group === null ? null : (names[group] ?? `group ${group}`);
}

const [serverHello, serverKeyExchange, namedCurve, keyShare, handshake] = [2, 12, 3, 51, 22];

/** IANA's TLS Supported Groups. */
const names: Record<number, string> = {
  ...{ 23: 'P-256', 24: 'P-384', 25: 'P-521', 29: 'X25519', 30: 'X448' },
  ...{ 4587: 'SecP256r1MLKEM768', 4588: 'X25519MLKEM768', 4589: 'SecP384r1MLKEM1024' },
};

type Message = { type: number; body: Buffer };

/** Handshake messages in clear, each whole. */
function messagesOf(sent: Buffer): Message[] {
  const fragments: Buffer[] = [];
  for (let at = 0; at + 5 <= sent.length && sent[at] === handshake; ) {
    const end = at + 5 + sent.readUInt16BE(at + 3);
    fragments.push(sent.subarray(at + 5, end));
    at = end;
  }
  const text = Buffer.concat(fragments);
  const messages: Message[] = [];
  for (let at = 0; at + 4 <= text.length; ) {
    const end = at + 4 + text.readUIntBE(at + 1, 3);
    if (end > text.length) break;
    messages.push({ type: text[at] ?? 0, body: text.subarray(at + 4, end) });
    at = end;
  }
  return messages;
}

/** A HelloRetryRequest has one too: that of the ServerHello after it counts. */
function keyShareOf(body: Buffer): number | null {
  // Version, random, and the session's length come before the session.
  let at = 35 + (body[34] ?? 0) + 3;
  if (at + 2 > body.length) return null;
  at += 2;
  while (at + 4 <= body.length) {
    const [extension, bytes] = [body.readUInt16BE(at), body.readUInt16BE(at + 2)];
    if (extension === keyShare && at + 6 <= body.length) return body.readUInt16BE(at + 4);
    at += 4 + bytes;
  }
  return null;
}
