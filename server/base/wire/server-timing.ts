/**
 * The application's own time in a Server-Timing field, in µs: `dur`, in ms, of the metric `app`; -1 without one that is a time. Names are
 * compared whole and without regard to case; the first `app` with a time counts, and in it the first `dur`. A field of several lines is
 * read line by line. Sources: Server Timing (W3C), section 3; RFC 9110, sections 5.6.1 to 5.6.6.
 */
export function readApplicationTime(bytes: Buffer, from: number, to: number): number {
  const plain = readPlain(bytes, from, to);
  return plain >= 0 ? plain : readList(bytes.toString('latin1', from, to));
}

function readList(field: string): number {
  let [delimiter, isApplication, isDuration] = [',', false, false];
  let ms: number | null = null;
  for (const [lexeme, quoted] of field.matchAll(lexemes)) {
    if (lexeme === ',') {
      if (isApplication && isTime(ms)) break;
      [ms, isDuration] = [null, false];
    } else if (delimiter === ',') isApplication = lexeme.toLowerCase() === 'app';
    else if (delimiter === ';') isDuration = lexeme.toLowerCase() === 'dur' && ms === null;
    else if (delimiter === '=' && isDuration) ms = Number.parseFloat((quoted ?? lexeme).replaceAll('\\', ''));
    delimiter = delimiters.has(lexeme) ? lexeme : '';
  }
  return isApplication && isTime(ms) ? ms * 1000 : -1;
}

/** A string without an end goes on to the end of the line, so that reading takes one pass. */
const lexemes = /"((?:[^"\\]|\\.)*)"?|[^",;=\s]+|[,;=]/gs;
const delimiters = new Set([',', ';', '=']);

/** More than a day is a mistake of the application's. */
const longestMs = 86_400_000;

function isTime(ms: number | null): ms is number {
  return ms !== null && ms >= 0 && ms <= longestMs;
}

const plainStart = Buffer.from('app;dur=');
const mostDigits = 15;

/** The field `app;dur=1.234` and nothing else, which most applications send: read as bytes, it costs a thirtieth. -1 for any other. */
function readPlain(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] === 32) at++;
  const valueFrom = at + plainStart.length;
  if (to - valueFrom < 1 || to - valueFrom > mostDigits) return -1;
  for (let i = 0; i < plainStart.length; i++) if (bytes[at + i] !== plainStart[i]) return -1;
  let [value, unit] = [0, 0];
  for (at = valueFrom; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 46 && unit === 0) unit = 1;
    else if (byte >= 48 && byte <= 57) {
      value = value * 10 + byte - 48;
      unit *= 10;
    } else return -1;
  }
  const ms = unit === 0 ? value : value / unit;
  return isTime(ms) && unit !== 1 ? ms * 1000 : -1;
}
