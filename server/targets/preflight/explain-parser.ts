import { codeOf } from './check-problem.ts';

/**
 * What is wrong with a response that Node's HTTP/1.1 parser gave up on, as a sentence.
 *
 * @param progress.head null when the problem is in it
 */
export function explainParser(error: unknown, endpoint: string, progress: { head: unknown }): string {
  const code = codeOf(error);
  switch (code) {
    case 'HPE_INVALID_CONSTANT':
      return progress.head === null
        ? `the response from ${endpoint} is not HTTP/1.1.${beginningOf(error)} Correct the port.`
        : `${endpoint} sent more than the Content-Length of its response says.`;
    case 'HPE_INVALID_CHUNK_SIZE':
      return `the response from ${endpoint} has a chunk without a valid size.`;
    case 'HPE_INVALID_CONTENT_LENGTH':
    case 'HPE_UNEXPECTED_CONTENT_LENGTH':
      return `the response from ${endpoint} has an invalid Content-Length, or more than one.`;
    case 'HPE_HEADER_OVERFLOW':
      return `the head of the response from ${endpoint} is larger than 16 KiB.`;
    default:
      return `the response from ${endpoint} is not valid HTTP/1.1 (${code}).`;
  }
}

export function isParserError(error: unknown): boolean {
  return codeOf(error).startsWith('HPE_');
}

/** Whether the server may have answered in TLS. */
export function answeredInTls(error: unknown): boolean {
  const packet = packetOf(error);
  return packet !== null && packet[0] === 21 && packet[1] === 3;
}

/** Letters only: whatever a server sent goes into a terminal. */
function beginningOf(error: unknown): string {
  const [text = ''] = /^[ -~]{0,40}/.exec(packetOf(error)?.toString('latin1') ?? '') ?? [];
  return text.length < 3 ? '' : ` It begins with “${text.trim()}”.`;
}

function packetOf(error: unknown): Buffer | null {
  return error instanceof Error && 'rawPacket' in error && Buffer.isBuffer(error.rawPacket)
    ? error.rawPacket
    : null;
}
