/** One record of the TLS record layer, as its header in clear tells it. Source: RFC 8446 section 5.1. */
export type TlsRecord = {
  from: 'client' | 'server';
  type: number;
  /** Header included. */
  bytes: number;
  /** A ServerHello that asks the client for another group. */
  helloRetry: boolean;
};

export const applicationData = 23;

const headerBytes = 5;
const handshake = 22;
const serverHello = 2;
/** The random of a ServerHello that is a HelloRetryRequest: SHA-256 of that word. Source: RFC 8446 section 4.1.3. */
const retryRandom = Buffer.from('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c', 'hex');

/** Cuts what passes into records, in the order in which they end. */
export class RecordReader {
  readonly records: TlsRecord[] = [];
  readonly #pending = { client: Buffer.alloc(0), server: Buffer.alloc(0) };

  read(from: 'client' | 'server', piece: Buffer): void {
    let left = Buffer.concat([this.#pending[from], piece]);
    while (left.length >= headerBytes) {
      const bytes = headerBytes + left.readUInt16BE(3);
      if (left.length < bytes) break;
      const type = left.readUInt8(0);
      this.records.push({ from, type, bytes, helloRetry: isHelloRetry(type, left) });
      left = left.subarray(bytes);
    }
    this.#pending[from] = left;
  }
}

/** The message follows the header: type, three bytes of length, two of version, then the random. */
function isHelloRetry(type: number, record: Buffer): boolean {
  return (
    type === handshake &&
    record[headerBytes] === serverHello &&
    record.subarray(headerBytes + 6, headerBytes + 38).equals(retryRandom)
  );
}
