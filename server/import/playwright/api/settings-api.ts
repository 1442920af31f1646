import { because, type KnownApi, words } from './known-api.ts';

/** Options of `test.use`, `newContext` and `newPage`. */
export const settingsApi: KnownApi = {
  name: 'the setting',
  done: words(`
    baseURL browserName colorScheme contrast extraHTTPHeaders forcedColors reducedMotion testIdAttribute viewport
  `),
  withoutEffect: words(`
    acceptDownloads actionTimeout bypassCSP channel headless ignoreHTTPSErrors launchOptions logger navigationTimeout recordHar
    recordVideo reuseContext screen screenshot serviceWorkers strictSelectors trace video
  `),
  refused: [
    [
      'is not set in the replay, so requests carry what Chromium sends on its own.',
      words('locale timezoneId userAgent'),
    ],
    ['is not emulated. The replay uses Chromium on a desktop.', words('deviceScaleFactor hasTouch isMobile')],
    ['is not granted in the replay.', words('geolocation permissions')],
    ['is not supported. Sign in with steps of the test instead.', words('clientCertificates storageState')],
    ['is not supported. Write the user in front of the host instead.', words('httpCredentials')],
    [because.network, words('offline proxy')],
    ['is not supported. The replay runs scripts.', words('javaScriptEnabled')],
    ['is not supported. The replay uses its own Chromium.', words('connectOptions defaultBrowserType')],
    ['is not supported. Write its options into test.use().', words('contextOptions')],
  ],
};

/** Options that change when or how patiently something is done, and not what is sent. */
export const quietOptions: ReadonlySet<string> = new Set(
  words(`
    delay failOnStatusCode ignoreHTTPSErrors maxRedirects maxRetries message noWaitAfter reason runBeforeUnload scroll signal
    steps timeout useInnerText waitUntil
  `),
);
