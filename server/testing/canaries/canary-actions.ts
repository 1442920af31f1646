import type { CanaryInput } from './canary-input.ts';

/** Secrets that are typed, and those of single options of curl and single fields of a HAR. */
export function canaryActions(): CanaryInput[] {
  return [
    ...labels.map(([label, value]) => typed(label, value)),
    ...labels.map(([label, value]) => recorded(label, value)),
    {
      name: 'a password in an address of a Playwright test',
      format: 'playwright',
      text: "await page.goto('http://ann:Kanarie-goto-1@shop.example/?token=Kanarie-goto-2');",
      canaries: ['Kanarie-goto-1', 'Kanarie-goto-2'],
    },
    {
      name: 'a password in a line that is not supported',
      format: 'playwright',
      text: `await page.goto('http://shop.example/');
await page.getByLabel('Password').fill('Kanarie-line-1');
await page.evaluate(() => logIn('ann', 'Kanarie-line-1'));
await page.getByText('Kanarie-line-1').click();`,
      canaries: ['Kanarie-line-1'],
    },
    {
      name: 'a password in an address of a DevTools recording',
      format: 'devtools',
      text: JSON.stringify({
        title: 'Log in',
        steps: [{ type: 'navigate', url: 'http://ann:Kanarie-nav-1@shop.example/?password=Kanarie-nav-2' }],
      }),
      canaries: ['Kanarie-nav-1', 'Kanarie-nav-2'],
    },
    curl(
      '-u',
      'curl -u ann:Kanarie-user-1 http://shop.example/',
      'Kanarie-user-1',
      'YW5uOkthbmFyaWUtdXNlci0x',
    ),
    curl('an address with a password', 'curl http://ann:Kanarie-host-1@shop.example/', 'Kanarie-host-1'),
    curl('-b', "curl -b 'sid=Kanarie-jar-1' http://shop.example/", 'Kanarie-jar-1'),
    curl('-F', 'curl -F user=ann -F password=Kanarie-part-1 http://shop.example/', 'Kanarie-part-1'),
    curl('--json', `curl --json '{"pin":"Kanarie-pin-1"}' http://shop.example/`, 'Kanarie-pin-1'),
    curl('--oauth2-bearer', 'curl --oauth2-bearer Kanarie-oauth-1 http://shop.example/', 'Kanarie-oauth-1'),
    curl(
      'an option that is refused',
      "curl --proxy-user ann:Kanarie-proxy-1 --proxy http://ann:Kanarie-proxy-2@p.example http://shop.example/\ncurl 'ftp://ann:Kanarie-ftp-1@shop.example/'\ncurl http://shop.example/ok",
      'Kanarie-proxy-1',
      'Kanarie-proxy-2',
      'Kanarie-ftp-1',
    ),
    curl(
      'a variable of the shell',
      'TOKEN=Kanarie-shell-1 curl -H "Authorization: Bearer $TOKEN" http://shop.example/\ncurl http://shop.example/ok',
      'Kanarie-shell-1',
    ),
    {
      name: 'cookies and tokens of responses in a HAR',
      format: 'har',
      text: JSON.stringify({ log: { entries: [answered(), followed()] } }),
      canaries: ['Kanarie-set-1', 'Kanarie-set-2', 'Kanarie-echo-1'],
    },
  ];
}

const labels: [string, string][] = [
  ['Password', 'Kanarie-typed-en'],
  ['Passwort', 'Kanarie-typed-de'],
  ['Contraseña', 'Kanarie-typed-es'],
  ['Mot de passe', 'Kanarie-typed-fr'],
  ['PIN', '904522'],
  ['Card number', '4539 5787 6362 1486'],
];

function typed(label: string, value: string): CanaryInput {
  return {
    name: `${label} typed in a Playwright test`,
    format: 'playwright',
    text: `await page.goto('http://shop.example/');
await page.getByLabel(${JSON.stringify(label)}).fill(${JSON.stringify(value)});
await page.getByRole('button', { name: 'Log in' }).click();`,
    canaries: [value],
  };
}

function recorded(label: string, value: string): CanaryInput {
  return {
    name: `${label} typed in a DevTools recording`,
    format: 'devtools',
    text: JSON.stringify({
      title: 'Log in',
      steps: [
        { type: 'navigate', url: 'http://shop.example/' },
        { type: 'change', value, selectors: [[`aria/${label}[role="textbox"]`]] },
      ],
    }),
    canaries: [value],
  };
}

function curl(what: string, text: string, ...canaries: string[]): CanaryInput {
  return { name: `${what} of curl`, format: 'curl', text, canaries };
}

function answered() {
  return {
    startedDateTime: '2026-01-02T03:04:05.000Z',
    time: 5,
    request: {
      method: 'POST',
      url: 'http://shop.example/login',
      headers: [{ name: 'Content-Type', value: 'application/x-www-form-urlencoded' }],
      postData: { mimeType: 'application/x-www-form-urlencoded', text: 'pw=Kanarie-echo-1' },
    },
    response: {
      status: 302,
      headers: [
        { name: 'Set-Cookie', value: 'sid=Kanarie-set-1; Path=/' },
        { name: 'Location', value: '/welcome?session=Kanarie-set-2&pw=Kanarie-echo-1' },
      ],
      content: { mimeType: '' },
    },
  };
}

function followed() {
  return {
    startedDateTime: '2026-01-02T03:04:06.000Z',
    time: 5,
    request: {
      method: 'GET',
      url: 'http://shop.example/welcome?session=Kanarie-set-2&pw=Kanarie-echo-1',
      headers: [{ name: 'Cookie', value: 'sid=Kanarie-set-1' }],
    },
    response: {
      status: 200,
      headers: [],
      content: { mimeType: 'text/html', text: '<h1>Kanarie-set-1</h1>' },
    },
  };
}
