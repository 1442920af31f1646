/**
 * Names whose values are nobody's business: of headers, cookies, form fields, query fields, JSON keys, XML elements and
 * inputs, and the labels of fields. Compared as words without case and accents, so that `apiKey`, `api-key` and `API_KEY`
 * are one, and so are "Contraseña" and `contrasena`.
 */
export function isSecretName(name: string): boolean {
  if (name.length > longest) return false;
  const words = wordsOf(name.replace(placeholders, ' '));
  if (innocent.test(words)) return false;
  return anywhere.test(words) || whole.has(words) || words.split(' ').some((word) => short.has(word));
}

/** What stands for a value, as in `${secret:key}`, says nothing of the name that it becomes. */
export const placeholders = /\$\{[^{}]*\}/g;

/** Nobody names a field with more; a longer text is no name. */
const longest = 200;

/** In lower case with single spaces between them. */
function wordsOf(name: string): string {
  return fold(
    name
      .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' '),
  ).trim();
}

/** Without case and accents, those that Unicode does not take apart included. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[łøđıß]/g, (letter) => ({ ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss' })[letter] ?? letter);
}

const english =
  'pass ?w|pass ?phrase|pass ?code|pass ?key|pwd$|secret|token|api ?key|access ?key|private ?key|authori[sz]|authenticat|credential|csrf|xsrf|session|sess ?id|jwt|signature|cookie|card ?(number|num|no)$|credit ?card|security ?code|verification ?code|(otp|mfa|sms|2fa) ?code';
/** Words for password, secret, and the numbers of cards, each in the language of its line. */
const others = [
  'kenn ?wort|geheim|kreditkarte|karten ?nummer|prufziffer',
  'contrase|clave secreta|secreto|numero de tarjeta',
  'mot de passe|motdepasse|mot passe|code secret|numero de carte|cryptogramme',
  'palavra ?passe|segredo|senha',
  'segreto|parola (d ordine|chiave)|numero (della )?carta',
  'wacht ?woord|losen ?ord|adgangskode|kode ?ord|sala ?sana',
  'lozinka|jelszo|kata ?sandi|mat ?khau|пароль|парола|гасло|κωδικ',
  '密码|密碼|口令|パスワード|暗証|비밀번호|암호|รหัสผ่าน|पासवर्ड|كلمة (ال)?(مرور|سر)|סיסמ',
];
const anywhere = new RegExp([english, ...others.map(fold)].join('|'), 'u');

/** Too short to be looked for inside of words. */
const short = new Set(
  'otp totp pin cvv cvv2 cvc cvc2 csc ssn iban pw mdp haslo heslo sifre parool'.split(' '),
);
/** Of these a part of a name says nothing. */
const whole = new Set([...'pass auth sid key sig nonce cc tan clave parola bearer'.split(' '), 'user pass']);

/** What is said about a secret, and what is counted in tokens. */
const innocent =
  /(^| )(type|count|limit|length|policy|consent|required|enabled|expiry|expires|duration|timeout|endpoint|method|algorithm|alg|strength|name)$|(^| )tokens$|^(www|proxy) authenticate$|^max tokens?/;
