import type { RecordedHeaders } from '../../../../shared/scenario/recording.ts';
import { isRecord } from '../../../base/text/is-record.ts';

/**
 * Reads the fields of one entry. Programs write numbers as text and the reverse; both are taken. A field of any other
 * shape counts as missing, and `odd` names it: one field must not cost the whole request.
 */
export class EntryFields {
  readonly odd = new Set<string>();

  text(value: unknown, name: string): string | null {
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return this.#missing(value, name);
  }

  /** Takes `200 OK` for 200. */
  number(value: unknown, name: string): number | null {
    const read = typeof value === 'string' ? Number(/^\s*(-?\d+(?:\.\d+)?)\b/.exec(value)?.[1]) : value;
    return typeof read === 'number' && Number.isFinite(read) ? read : this.#missing(value, name);
  }

  /** Unix time in ms. A number below 10¹¹ is in seconds. */
  date(value: unknown, name: string): number | null {
    const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value));
    const atMs = isNumber ? Number(value) * (Number(value) < 1e11 ? 1000 : 1) : Date.parse(`${value}`);
    return Number.isNaN(atMs) || Math.abs(atMs) > longestMs ? this.#missing(value, name) : atMs;
  }

  record(value: unknown, name: string): Record<string, unknown> | null {
    return isRecord(value) ? value : this.#missing(value, name);
  }

  list(value: unknown, name: string): unknown[] {
    return Array.isArray(value) ? value : (this.#missing(value, name) ?? []);
  }

  /** A list of names and values, or one record of them. The names of HTTP/2 that begin with a colon are its request line. */
  headers(value: unknown, name: string): RecordedHeaders {
    const lines = isRecord(value)
      ? Object.entries(value).map(([called, text]) => ({ name: called, value: text }))
      : this.list(value, name);
    return lines.flatMap((line, index): RecordedHeaders => {
      const header = isRecord(line) ? line : {};
      const at = `${name}[${index}]`;
      const called = this.text(header.name, at);
      const text = this.text(header.value, at);
      if (called === '' || called?.startsWith(':')) return [];
      if (called !== null && text !== null) return [[called, text]];
      this.odd.add(at);
      return [];
    });
  }

  #missing(value: unknown, name: string): null {
    if (value !== undefined && value !== null) this.odd.add(name);
    return null;
  }
}

/** The longest time from 1970 that a date can be. */
const longestMs = 8.64e15;
