/** A request that carries secrets in the places where people put them. */
export type CanaryRequest = {
  what: string;
  method: 'GET' | 'POST';
  /** Path and query, as sent. */
  path: string;
  headers: [name: string, value: string][];
  body: string | null;
  /** Texts that must be nowhere. */
  canaries: string[];
};

const form = 'application/x-www-form-urlencoded';
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.S2FuYXJpZVZvZ2VsSW5EZXJNaW5l';
// In two parts, so that no scanner of repositories takes it for a real one.
const stripe = ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_');

const languages: [name: string, value: string][] = [
  ['passwort', 'Kanarie-de-1'],
  ['geheimnis', 'Kanarie-de-2'],
  ['contraseña', 'Kanarie-es-1'],
  ['contrasena', 'Kanarie-es-2'],
  ['mot de passe', 'Kanarie-fr-1'],
  ['mot_de_passe', 'Kanarie-fr-2'],
  ['senha', 'Kanarie-pt-1'],
  ['wachtwoord', 'Kanarie-nl-1'],
  ['lösenord', 'Kanarie-sv-1'],
  ['hasło', 'Kanarie-pl-1'],
  ['şifre', 'Kanarie-tr-1'],
  ['пароль', 'Kanarie-ru-1'],
  ['密码', 'Kanarie-zh-1'],
  ['パスワード', 'Kanarie-ja-1'],
  ['비밀번호', 'Kanarie-ko-1'],
];

/** Each request has canaries of its own, so that a leak names its place. */
export const canaryRequests: readonly CanaryRequest[] = [
  post('a form', form, 'user=ann&password=Kanarie-form-1&otp=904517', ['Kanarie-form-1', '904517']),
  post(
    'a form in other languages',
    form,
    languages.map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join('&'),
    languages.map(([, value]) => value),
  ),
  post('a form without a type', null, 'login=ann&passwd=Kanarie-untyped&remember=1', ['Kanarie-untyped']),
  post(
    'JSON',
    'application/json',
    JSON.stringify({
      user: { name: 'ann', passwd: 'Kanarie "json" 3', pin: 904518, userPin: 'Kanarie-3b' },
    }),
    ['Kanarie "json" 3', 'Kanarie \\"json\\" 3', '904518', 'Kanarie-3b'],
  ),
  post('JSON that says it is a form', form, '{"client_secret":"Kanarie-sniffed-4"}', ['Kanarie-sniffed-4']),
  post('JSON of no type', null, '{"mfaCode":"904519","a":[{"refresh_token":"Kanarie-5"}]}', [
    '904519',
    'Kanarie-5',
  ]),
  post('JSON with an error in it', 'application/json', '{"user":"ann","password":"Kanarie-broken-6",}', [
    'Kanarie-broken-6',
  ]),
  post('lines of JSON', 'application/x-ndjson', '{"a":1}\n{"secret":"Kanarie-lines-7"}\n', [
    'Kanarie-lines-7',
  ]),
  post(
    'XML',
    'application/xml',
    '<login user="ann" pin="904520"><password>Kanarie &amp; xml 8</password><otp><![CDATA[Kanarie-8b]]></otp></login>',
    ['Kanarie &amp; xml 8', 'Kanarie & xml 8', '904520', 'Kanarie-8b'],
  ),
  post(
    'SOAP',
    'text/xml; charset=utf-8',
    '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Header><wsse:Security><wsse:UsernameToken><wsse:Username>ann</wsse:Username><wsse:Password Type="PasswordText">Kanarie-soap-9</wsse:Password><wsse:Nonce>Kanarie-9b</wsse:Nonce></wsse:UsernameToken></wsse:Security></s:Header><s:Body/></s:Envelope>',
    ['Kanarie-soap-9', 'Kanarie-9b'],
  ),
  post(
    'variables of GraphQL',
    'application/json',
    JSON.stringify({
      query: 'mutation L($password: String!) { login(password: $password) { id } }',
      variables: { password: 'Kanarie-graphql-10' },
    }),
    ['Kanarie-graphql-10'],
  ),
  post(
    'literals of GraphQL',
    'application/json',
    JSON.stringify({
      query: 'mutation { login(user: "ann", password: "Kanarie-literal-11", pin: 904521) { id } }',
    }),
    ['Kanarie-literal-11', '904521'],
  ),
  post(
    'bare GraphQL',
    'application/graphql',
    'mutation { login(user: "ann", password: "Kanarie-bare-12") { id } }',
    ['Kanarie-bare-12'],
  ),
  post(
    'a multipart form',
    'multipart/form-data; boundary=xyz',
    '--xyz\r\nContent-Disposition: form-data; name="user"\r\n\r\nann\r\n--xyz\r\nContent-Disposition: form-data; name="geheim"\r\n\r\nKanarie-part-13\r\n--xyz\r\nContent-Disposition: form-data; name="meta"\r\n\r\n{"token":"Kanarie-13b"}\r\n--xyz--\r\n',
    ['Kanarie-part-13', 'Kanarie-13b'],
  ),
  get('a query', '/find?q=shoes&api_key=Kanarie-query-14&sig=Kanarie-14b&access_token=Kanarie%2F14c', [
    'Kanarie-query-14',
    'Kanarie-14b',
    'Kanarie%2F14c',
    'Kanarie/14c',
  ]),
  get('an address inside of a query', '/go?next=https%3A%2F%2Fshop.example%2F%3Ftoken%3DKanarie-nested-15', [
    'Kanarie-nested-15',
  ]),
  get('a cookie', '/', ['Kanarie-cookie-16'], [['Cookie', 'theme=dark; sid=Kanarie-cookie-16']]),
  get(
    'headers of credentials',
    '/',
    ['Kanarie-bearer-17', 'YW5uOkthbmFyaWUtMTc=', 'Kanarie-17c', 'Kanarie-17d'],
    [
      ['Authorization', 'Bearer Kanarie-bearer-17'],
      ['X-Upstream', 'Basic YW5uOkthbmFyaWUtMTc='],
      ['X-Api-Key', 'Kanarie-17c'],
      ['X-Login', 'user=ann; password=Kanarie-17d'],
    ],
  ),
  get(
    'long random values in headers',
    '/',
    ['q7Zt2LmX9vRb4KdN8sYw3HcP', '9f86d081884c7d659a2feaa0c55ad015'],
    [
      ['X-Tenant', 'q7Zt2LmX9vRb4KdN8sYw3HcP'],
      ['X-Thing', '9f86d081884c7d659a2feaa0c55ad015'],
    ],
  ),
  get('a token in a path', `/reset/${jwt}/confirm?v=${stripe}`, [jwt, stripe]),
  post(
    'payment',
    'application/json',
    '{"n":"4539578763621486","to":"DE89370400440532013000","cc":"4916338506082832","cvv":"883"}',
    ['4539578763621486', 'DE89370400440532013000', '4916338506082832', '"883"'],
  ),
  post(
    'random values that no name gives away',
    'application/json',
    '{"k":"Zr8wQ2nVt6Xy1LcB5mJd","v":{"x":"hT3kP9sLw2Nq7RzUf4Ae"}}',
    ['Zr8wQ2nVt6Xy1LcB5mJd', 'hT3kP9sLw2Nq7RzUf4Ae'],
  ),
  post('JSON in a form', form, `data=${encodeURIComponent('{"password":"Kanarie-inner-23"}')}`, [
    'Kanarie-inner-23',
  ]),
  post('text', 'text/plain', 'user: ann\npassword = "Kanarie-text-24"\n', ['Kanarie-text-24']),
];

function post(what: string, type: string | null, body: string, canaries: string[]): CanaryRequest {
  const headers: CanaryRequest['headers'] = type === null ? [] : [['Content-Type', type]];
  return { what, method: 'POST', path: '/send', headers, body, canaries };
}

function get(
  what: string,
  path: string,
  canaries: string[],
  headers: CanaryRequest['headers'] = [],
): CanaryRequest {
  return { what, method: 'GET', path, headers, body: null, canaries };
}
