import { staticTable } from './static-table.ts';

/** `next` found a field, the end of the block, or something that HPACK does not allow. */
export const field = 1;
export const end = 0;
export const broken = -1;

const tooLarge = -1;

/**
 * Goes through the fields of an HPACK block and says where their names and values lie; decodes nothing and allocates
 * nothing. It assumes that we allow the peer no dynamic table: then a literal that is to be indexed is one that is not, and
 * no number beyond the static table means anything.
 * Source: RFC 7541, sections 4 to 6.
 */
export class FieldReader {
  bytes: Buffer = Buffer.alloc(0);
  /** Number of the name in the static table; 0 when it is spelled out. */
  nameIndex = 0;
  /** The value is that of the static table too. */
  indexed = false;
  nameFrom = 0;
  nameTo = 0;
  nameHuffman = false;
  valueFrom = 0;
  valueTo = 0;
  valueHuffman = false;

  #at = 0;
  #to = 0;
  #first = true;
  #from = 0;
  #huffman = false;

  start(bytes: Buffer, from: number, to: number): void {
    this.bytes = bytes;
    this.#at = from;
    this.#to = to;
    this.#first = true;
  }

  next(): typeof field | typeof end | typeof broken {
    for (;;) {
      if (this.#at >= this.#to) return end;
      const byte = this.bytes[this.#at] ?? 0;
      if ((byte & 0xe0) !== 0x20) break;
      // A new size of the dynamic table: only before the first field, and we allow none but 0.
      if (!this.#first || this.#readInteger(5) !== 0) return broken;
    }
    this.#first = false;
    const byte = this.bytes[this.#at] ?? 0;
    if (byte & 0x80) return this.#readIndexed();
    return this.#readLiteral(byte & 0x40 ? 6 : 4);
  }

  #readIndexed(): typeof field | typeof broken {
    this.nameIndex = this.#readInteger(7);
    this.indexed = true;
    return this.nameIndex > 0 && this.nameIndex <= staticTable.length ? field : broken;
  }

  #readLiteral(prefixBits: number): typeof field | typeof broken {
    this.nameIndex = this.#readInteger(prefixBits);
    this.indexed = false;
    if (this.nameIndex < 0 || this.nameIndex > staticTable.length) return broken;
    if (this.nameIndex === 0) {
      if (!this.#readString()) return broken;
      this.nameFrom = this.#from;
      this.nameTo = this.#at;
      this.nameHuffman = this.#huffman;
    }
    if (!this.#readString()) return broken;
    this.valueFrom = this.#from;
    this.valueTo = this.#at;
    this.valueHuffman = this.#huffman;
    return field;
  }

  #readString(): boolean {
    if (this.#at >= this.#to) return false;
    this.#huffman = ((this.bytes[this.#at] ?? 0) & 0x80) !== 0;
    const length = this.#readInteger(7);
    if (length < 0 || length > this.#to - this.#at) return false;
    this.#from = this.#at;
    this.#at += length;
    return true;
  }

  /** Section 5.1; -1 for one that is cut off or has more than four octets after its prefix. */
  #readInteger(prefixBits: number): number {
    const most = (1 << prefixBits) - 1;
    let value = (this.bytes[this.#at++] ?? 0) & most;
    if (value < most) return value;
    for (let shift = 0; shift < 28; shift += 7) {
      if (this.#at >= this.#to) return tooLarge;
      const byte = this.bytes[this.#at++] ?? 0;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    return tooLarge;
  }
}
