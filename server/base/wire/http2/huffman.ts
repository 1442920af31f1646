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
  // What is left over at the end of a string is padding: fewer than eight bits, all of them ones.
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
