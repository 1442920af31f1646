/**
 * The last head that a step's responses began with, and what it said. Servers mostly write the same bytes again, but
 * for the date once a second, and comparing them is faster than reading them. Shared by all users of a lane.
 */
export class KnownHead {
  status = 0;
  keepAlive = true;
  executionUs = -1;
  chunked = false;
  bodyLength = -1;
  /** 0: nothing is known. */
  length = 0;
  #bytes: Buffer = Buffer.alloc(0);
  #strangers = 0;

  matches(bytes: Buffer, from: number, to: number): boolean {
    const end = from + this.length;
    if (this.length === 0 || end > to) return false;
    if (bytes.compare(this.#bytes, 0, this.length, from, end) !== 0) return false;
    this.#strangers = 0;
    return true;
  }

  /** Takes the bytes of a head over; false when this server writes something new into every head. */
  replace(bytes: Buffer, from: number, end: number): boolean {
    const length = end - from;
    if (++this.#strangers > patience || length > longest) {
      this.length = 0;
      return false;
    }
    if (length > this.#bytes.length) this.#bytes = Buffer.allocUnsafe(length);
    bytes.copy(this.#bytes, 0, from, end);
    this.length = length;
    return true;
  }
}

/** Heads in a row that were not like the one before them; with several users each second has some. */
const patience = 64;
const longest = 4096;
