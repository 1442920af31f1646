import { holdsPrivateKey } from '../../../shared/base/pem.ts';

/**
 * Whether a value is a credential whatever it is called: it has the form of one (a token of a known service, a key, the
 * number of a card or an account), or it is long and random. What has a telling name besides is left to `isSecretName`.
 *
 * @param name of the field: what is called a hash, an ID or a cursor may well be random
 */
export function isSecretValue(value: string, name: string): boolean {
  if (isKnownToken(value)) return true;
  if (value.length > longest) return false;
  return isCardNumber(value) || isIban(value) || (isRandom(value) && !isNameMade(name));
}

/** A token of a known service, or a private key. It is a secret even in a path, where other random values are mostly IDs. */
export function isKnownToken(value: string): boolean {
  return knownTokens.test(value) || holdsPrivateKey(value);
}

/** A longer text is a document. */
const longest = 4096;

/** JSON Web Tokens, and prefixes that services have given their keys so that they are found. */
const knownTokens =
  /^eyJ[\w-]{5,}\.[\w-]{2,}\.[\w-]*$|^[spr]k_(live|test)_\w{10,}$|^gh[pousr]_\w{20,}$|^github_pat_\w{20,}$|^glpat-[\w-]{15,}$|^xox[abeoprs]-[\w-]{10,}$|^(AKIA|ASIA)[0-9A-Z]{16}$|^AIza[\w-]{30,}$|^ya29\.[\w-]{20,}$|^sk-[\w-]{20,}$|^npm_\w{30,}$|^hf_\w{30,}$|^dop_v1_\w{30,}$|^SG\.[\w-]{15,}\.[\w-]{15,}$/;

/** Luhn's sum over 13 to 19 digits that begin as those of card companies. A time in milliseconds begins with 1. */
function isCardNumber(value: string): boolean {
  if (!/^[3-6]\d{3}([ -]?\d){9,15}$/.test(value)) return false;
  const digits = value.replace(/\D/g, '');
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** ISO 13616: the rest of dividing by 97 is 1. */
function isIban(value: string): boolean {
  const plain = value.replaceAll(' ', '');
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain)) return false;
  const moved = plain.slice(4) + plain.slice(0, 4);
  const digits = [...moved].map((character) => Number.parseInt(character, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

/** Names of what is random and public, as the last word or on its own. */
const namesMade =
  /(^|[\W_]|[a-z](?=[A-Z]))(ids?|uuid|guid|hash|sha\d*|md5|digest|checksum|etag|integrity|revision|commit|version|cursor|after|before|boundary|fingerprint|nonce)$|hash$|^(if-(none-)?match|idempotency-key|user-agent|referer|origin|accept.*|content-.*|sentry-trace|baggage|x-b3-.*|x-amz(n|-content).*)$/i;

/** Also a last word that speaks of a trace or a file, such as `fileHash2`. */
function isNameMade(name: string): boolean {
  return namesMade.test(name) || /trace|file/i.test(name.split(/\W/).at(-1) ?? '');
}

const leastLength = 20;
/** A piece that is shorter is a word, a number or a date. */
const leastPiece = 16;

function isRandom(value: string): boolean {
  if (value.length < leastLength || !/^[\w+/=.~-]+$/.test(value) || uuid.test(value)) return false;
  const pieces = value.split(/[.~_/-]|=+/).sort((a, b) => b.length - a.length);
  return isRandomPiece(pieces[0] ?? '');
}

const uuid = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i;

/** Letters and digits that change places often, make no words, and hardly repeat themselves. */
function isRandomPiece(piece: string): boolean {
  if (piece.length < leastPiece || !/\d/.test(piece) || !/[a-z]/i.test(piece)) return false;
  if (/^[\da-f]+$/i.test(piece)) return piece.length >= 32 && entropyOf(piece) > 3;
  if (piece.replace(/[A-Z]?[a-z]{3,}/g, '').length < piece.length / 2) return false;
  const kinds = [...piece].map((character) => (/\d/.test(character) ? 0 : /[a-z]/.test(character) ? 1 : 2));
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
  return changes / piece.length > 0.3 && entropyOf(piece) > 3.4;
}

/** Shannon's, in bits a character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => {
    const share = count / text.length;
    return sum - share * Math.log2(share);
  }, 0);
}
