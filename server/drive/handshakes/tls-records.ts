import { isHelloRetry } from '../../base/wire/hello-retry.ts';

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

/** Cuts what passes into records, in the order in which they end. */
export class RecordReader {
  readonly records: TlsRecord[] = [];
  readonly #pending = { client: Buffer.alloc(0), server: Buffer.alloc(0) };

  read(from: 'client' | 'server', piece: Buffer): void {
    let left = Buffer.concat([this.#pending[from], piece]);
    while (left.length >= headerBytes) {
      const bytes = headerBytes + left.readUInt16BE(3);
      if (left.length < bytes) break;
      this.records.push({ from, type: left.readUInt8(0), bytes, helloRetry: isHelloRetry(left) });
      left = left.subarray(bytes);
    }
    this.#pending[from] = left;
  }
}
