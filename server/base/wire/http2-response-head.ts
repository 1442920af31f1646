import { digit, type Field, readApplicationTime } from './head-bytes.ts';
import {
  contentLengthIndex,
  firstStatusIndex,
  lastPseudoIndex,
  staticLengths,
  staticNameLengths,
  staticStatuses,
  staticTable,
} from './http2-request.ts';

/**
 * HPACK's Huffman code, decoded four bits a step. The code is canonical: a symbol's code follows from its length and
 * the order of the symbols, so the lengths are all that has to be written down.
 * Source: RFC 7541, section 5.2 and appendix B.
 */

/** Writes the decoded bytes into `into`; returns how many, or -1 when it is no valid code or does not fit. */
export function decodeHuffman(bytes: Buffer, from: number, to: number, into: Buffer): number {
  let node = 0;
  let length = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0;
    for (let shift = 4; shift >= 0; shift -= 4) {
      const next = transitions[(node << 4) | ((byte >> shift) & 15)] ?? wrong;
      if (next === wrong) return -1;
      if (next & emits) {
        if (length === into.length) return -1;
        into[length++] = (next >> 8) & 255;
      }
      node = next & 255;
    }
  }
  return endsWell[node] === 1 ? length : -1;
}

export function encodeHuffman(text: Buffer): Buffer {
  let bits = '';
  for (const byte of text) bits += codeOf(byte);
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  return Buffer.from(bits.match(/.{8}/g)?.map((octet) => Number.parseInt(octet, 2)) ?? []);
}

/** Bits of the code of each byte, then of the end of the string. */
const codeLengths = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28,
  28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7,
  8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19,
  13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13,
  28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21,
  22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23,
  22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
  19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25,
  25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
];
const endOfString = 256;

/** An entry of `transitions`: the next node, the byte in the second octet, and whether there is one. */
const emits = 1 << 16;
const wrong = 1 << 17;

const codes = canonicalCodes();
const { transitions, endsWell } = tabulate();

function codeOf(symbol: number): string {
  return (codes[symbol] ?? 0).toString(2).padStart(codeLengths[symbol] ?? 0, '0');
}

function canonicalCodes(): number[] {
  const symbols = [...codeLengths.keys()].sort(
    (a, b) => (codeLengths[a] ?? 0) - (codeLengths[b] ?? 0) || a - b,
  );
  const assigned: number[] = [];
  let code = 0;
  let length = 0;
  for (const symbol of symbols) {
    const own = codeLengths[symbol] ?? 0;
    code *= 2 ** (own - length);
    length = own;
    assigned[symbol] = code++;
  }
  return assigned;
}

type Node = { children: [Node | number | null, Node | number | null]; depth: number; onlyOnes: boolean };

/** One row of sixteen for each inner node of the code's tree, of which there are 256. */
function tabulate(): { transitions: Int32Array; endsWell: Uint8Array } {
  const nodes: Node[] = [{ children: [null, null], depth: 0, onlyOnes: true }];
  for (const symbol of codeLengths.keys()) plant(nodes, symbol);
  const numbers = new Map(nodes.map((node, number) => [node, number]));
  const table = new Int32Array(nodes.length * 16);
  for (const [number, node] of nodes.entries()) {
    for (let nibble = 0; nibble < 16; nibble++)
      table[number * 16 + nibble] = walk(nodes, numbers, node, nibble);
  }
  // Bits left over at the end of a string are padding: fewer than eight, all of them ones.
  return {
    transitions: table,
    endsWell: Uint8Array.from(nodes, (node) => +(node.onlyOnes && node.depth < 8)),
  };
}

function plant(nodes: Node[], symbol: number): void {
  const bits = codeOf(symbol);
  let node = nodes[0];
  for (const [index, bit] of [...bits].entries()) {
    if (node === undefined) return;
    const side = bit === '1' ? 1 : 0;
    if (index === bits.length - 1) {
      node.children[side] = symbol;
      return;
    }
    let child = node.children[side];
    if (child === null || typeof child === 'number') {
      child = { children: [null, null], depth: node.depth + 1, onlyOnes: node.onlyOnes && side === 1 };
      node.children[side] = child;
      nodes.push(child);
    }
    node = child;
  }
}

function walk(nodes: Node[], numbers: Map<Node, number>, from: Node, nibble: number): number {
  let node = from;
  let emitted = 0;
  for (let shift = 3; shift >= 0; shift--) {
    const child = node.children[(nibble >> shift) & 1 ? 1 : 0] ?? endOfString;
    if (child === endOfString) return wrong;
    if (typeof child === 'number') {
      emitted = emits | (child << 8);
      node = nodes[0] ?? node;
    } else node = child;
  }
  return emitted | (numbers.get(node) ?? 0);
}

/** `next` found a field, the end of the block, or something that HPACK does not allow. */
const field = 1;
const end = 0;
const broken = -1;

const tooLarge = -1;

/**
 * Goes through the fields of an HPACK block and says where their names and values lie; decodes nothing and allocates
 * nothing. It assumes that we allow the peer no dynamic table: then a literal that is to be indexed is one that is not, and
 * no number beyond the static table means anything.
 * Source: RFC 7541, sections 4 to 6.
 */
class FieldReader {
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

/** Largest header block, and largest list of fields in it as RFC 9113, section 6.5.2 counts it: 32 more for each field. */
export const headerListLimit = 262_144;

/** Fields that frame a response or are measured. */
export type ResponseHead = {
  status: number;
  /** -1 when it is not said. */
  contentLength: number;
  /** Server-Timing's app;dur in µs; -1 when absent. */
  executionUs: number;
};

/** One for the process: a block is read through before the next is begun. */
const reader = new FieldReader();
/** No text is longer than eight fifths of its code. */
const scratch = Buffer.allocUnsafeSlow(2 * headerListLimit);

const statusName = nameBytes(':status');
const contentLengthName = nameBytes('content-length');
const serverTimingName = nameBytes('server-timing');
const colon = 58;
/** The Huffman code of a colon, in the upper seven bits of a byte. */
const colonCode = 0b1011100;

/** Fills in `head`; false when the block is not the head of a response. Allocates nothing. */
export function readResponseHead(bytes: Buffer, from: number, to: number, head: ResponseHead): boolean {
  head.status = 0;
  head.contentLength = -1;
  head.executionUs = -1;
  let listBytes = 0;
  let regular = false;
  reader.start(bytes, from, to);
  for (;;) {
    const found = reader.next();
    if (found === end) return head.status > 0;
    if (found === broken) return false;
    listBytes += fieldBytes();
    if (listBytes > headerListLimit) return false;
    if (isPseudo()) {
      if (regular || head.status > 0 || !isStatus()) return false;
      head.status = statusValue();
      if (head.status < 100) return false;
    } else {
      regular = true;
      if (!readRegular(head)) return false;
    }
  }
}

/** Whether the block is one of trailers: fields like any other, but no status. */
export function areTrailers(bytes: Buffer, from: number, to: number): boolean {
  let listBytes = 0;
  reader.start(bytes, from, to);
  for (;;) {
    const found = reader.next();
    if (found === end) return true;
    if (found === broken || isPseudo()) return false;
    listBytes += fieldBytes();
    if (listBytes > headerListLimit) return false;
  }
}

/** The fields of a block that `readResponseHead` took, without the status; null when a string in it is no valid code. */
export function decodeFields(bytes: Buffer, from: number, to: number): Field[] | null {
  const fields: Field[] = [];
  reader.start(bytes, from, to);
  while (reader.next() === field) {
    const known = staticTable[reader.nameIndex - 1];
    const name = known?.[0] ?? decodeText(reader.nameFrom, reader.nameTo, reader.nameHuffman);
    const value =
      reader.indexed && known !== undefined
        ? known[1]
        : decodeText(reader.valueFrom, reader.valueTo, reader.valueHuffman);
    if (name === null || value === null) return null;
    if (!name.startsWith(':')) fields.push([name, value]);
  }
  return fields;
}

function readRegular(head: ResponseHead): boolean {
  if (reader.nameIndex === contentLengthIndex || isNamed(contentLengthName)) {
    const value = reader.indexed ? -1 : lengthValue();
    if (value < 0 || (head.contentLength >= 0 && head.contentLength !== value)) return false;
    head.contentLength = value;
  } else if (head.executionUs < 0 && isNamed(serverTimingName)) {
    const length = valueIntoScratch();
    if (length < 0) return false;
    head.executionUs = readApplicationTime(scratch, 0, length);
  }
  return true;
}

function isPseudo(): boolean {
  const { nameIndex, bytes, nameFrom, nameTo, nameHuffman } = reader;
  if (nameIndex > 0) return nameIndex <= lastPseudoIndex;
  const first = bytes[nameFrom] ?? 0;
  return nameTo > nameFrom && (nameHuffman ? first >> 1 === colonCode : first === colon);
}

function isStatus(): boolean {
  return (reader.nameIndex >= firstStatusIndex && reader.nameIndex <= lastPseudoIndex) || isNamed(statusName);
}

function statusValue(): number {
  if (reader.indexed) return staticStatuses[reader.nameIndex] ?? 0;
  if (valueIntoScratch() !== 3) return -1;
  const hundreds = digit(scratch, 0);
  const tens = digit(scratch, 1);
  const ones = digit(scratch, 2);
  return hundreds < 1 || tens < 0 || ones < 0 ? -1 : hundreds * 100 + tens * 10 + ones;
}

function lengthValue(): number {
  const length = valueIntoScratch();
  if (length < 1 || length > 15) return -1;
  let value = 0;
  for (let at = 0; at < length; at++) {
    const next = digit(scratch, at);
    if (next < 0) return -1;
    value = value * 10 + next;
  }
  return value;
}

function valueIntoScratch(): number {
  const { bytes, valueFrom, valueTo, valueHuffman } = reader;
  if (valueHuffman) return decodeHuffman(bytes, valueFrom, valueTo, scratch);
  for (let at = valueFrom; at < valueTo; at++) scratch[at - valueFrom] = bytes[at] ?? 0;
  return valueTo - valueFrom;
}

function decodeText(from: number, to: number, huffman: boolean): string | null {
  if (!huffman) return reader.bytes.toString('latin1', from, to);
  const length = decodeHuffman(reader.bytes, from, to, scratch);
  return length < 0 ? null : scratch.toString('latin1', 0, length);
}

/** A text in Huffman code counts with the length of its code, so that it need not be decoded. */
function fieldBytes(): number {
  const { nameIndex, indexed, nameFrom, nameTo, valueFrom, valueTo } = reader;
  if (indexed) return 32 + (staticLengths[nameIndex] ?? 0);
  const name = nameIndex > 0 ? (staticNameLengths[nameIndex] ?? 0) : nameTo - nameFrom;
  return 32 + name + valueTo - valueFrom;
}

/** A text has one Huffman code only, so that a name is recognized without decoding it. */
type NameBytes = { plain: Buffer; huffman: Buffer };

function nameBytes(name: string): NameBytes {
  const plain = Buffer.from(name);
  return { plain, huffman: encodeHuffman(plain) };
}

function isNamed(name: NameBytes): boolean {
  const { nameIndex, bytes, nameFrom, nameTo, nameHuffman } = reader;
  if (nameIndex > 0) return false;
  const expected = nameHuffman ? name.huffman : name.plain;
  if (nameTo - nameFrom !== expected.length) return false;
  for (let i = 0; i < expected.length; i++) if (bytes[nameFrom + i] !== expected[i]) return false;
  return true;
}
