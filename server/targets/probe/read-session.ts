import type { GivenSession } from '../../../shared/target/probe.ts';

/**
 * What a serialised session says of itself. The platform hands it out as OpenSSL writes it, behind words of its own: it is
 * the structure that ends where the buffer does. Null when there is none, or when it holds nothing to resume by.
 * Source: OpenSSL, ssl/ssl_asn1.c: SSL_SESSION, with the lifetime in [9] and the ticket in [10].
 */
export function readSession(session: Buffer): GivenSession | null {
  const fields = fieldsOf(session);
  if (fields === null) return null;
  const lifetime = fields.find(({ tag }) => tag === contextTag(9));
  const ticket = fields.find(({ tag }) => tag === contextTag(10));
  const ticketBytes = ticket === undefined ? 0 : (elementAt(ticket.content, 0)?.content.length ?? 0);
  // The suite is the first octet string, the id of the session the second.
  const id = fields.filter(({ tag }) => tag === octetString)[1];
  if (ticketBytes === 0 && (id === undefined || id.content.length === 0)) return null;
  return {
    kind: ticketBytes > 0 ? 'ticket' : 'session id',
    lifetimeS: lifetime === undefined ? null : integerIn(lifetime.content),
    ticketBytes,
  };
}

type Element = { tag: number; content: Buffer; end: number };

const sequence = 0x30;
const octetString = 0x04;

function contextTag(number: number): number {
  return 0xa0 + number;
}

function fieldsOf(session: Buffer): Element[] | null {
  for (let start = session.indexOf(sequence); start >= 0; start = session.indexOf(sequence, start + 1)) {
    const whole = elementAt(session, start);
    if (whole === null || whole.end !== session.length) continue;
    const fields = elementsIn(whole.content);
    if (fields !== null) return fields;
  }
  return null;
}

/** Null when they do not fill it exactly. */
function elementsIn(content: Buffer): Element[] | null {
  const elements: Element[] = [];
  for (let at = 0; at < content.length; ) {
    const element = elementAt(content, at);
    if (element === null) return null;
    elements.push(element);
    at = element.end;
  }
  return elements;
}

/** Tag, length, content: DER, ITU-T X.690. */
function elementAt(bytes: Buffer, at: number): Element | null {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) return null;
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  if (lengthBytes > 4 || at + 2 + lengthBytes > bytes.length) return null;
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
  const begin = at + 2 + lengthBytes;
  const end = begin + length;
  return end > bytes.length ? null : { tag, content: bytes.subarray(begin, end), end };
}

function integerIn(content: Buffer): number | null {
  const integer = elementAt(content, 0)?.content;
  if (integer === undefined || integer.length === 0 || integer.length > 6) return null;
  return integer.readUIntBE(0, integer.length);
}
