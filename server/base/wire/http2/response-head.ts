import { digit } from '../head-bytes.ts';
import type { Field } from '../reading.ts';
import { readApplicationTime } from '../server-timing.ts';
import { broken, end, FieldReader, field } from './field-reader.ts';
import { decodeHuffman, encodeHuffman } from './huffman.ts';
import {
  contentLengthIndex,
  firstStatusIndex,
  lastPseudoIndex,
  staticLengths,
  staticNameLengths,
  staticStatuses,
  staticTable,
} from './static-table.ts';

/** Largest header block, and largest list of fields in it as RFC 9113, section 6.5.2 counts it: 32 more for each field. */
export const headerListLimit = 262_144;

/** What frames a response or is measured of it. */
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

/** A text has one Huffman code only, so that a name is recognised without decoding it. */
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
