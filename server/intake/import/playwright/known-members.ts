/** Members and options of Playwright 1.65, and what an import makes of those that are no action. */

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Of any object. They send nothing; a report lists them. */
export const quietMembers: ReadonlySet<string> = new Set(
  words(`
    all allInnerTexts allTextContents ariaSnapshot backgroundPages boundingBox bringToFront browser consoleMessages content
    cookies count coverage getAttribute highlight innerHTML innerText inputValue isChecked isClosed isConnected isDisabled
    isEditable isEnabled isHidden isVisible opener pageErrors pages pause pdf requests screencast screenshot
    setDefaultNavigationTimeout setDefaultTimeout storageState textContent title tracing url version video viewportSize
    waitForLoadState waitForRequest waitForResponse
  `),
);

/** Of a page. They take a selector, and do what the method of that name does to the first element that it finds. */
export const selectorMethods: ReadonlySet<string> = new Set(
  words(`
    check click dblclick dispatchEvent fill focus hover press selectOption setChecked tap type uncheck
  `),
);

/** Options that change when or how patiently something is done, and not what is sent. */
export const quietOptions: ReadonlySet<string> = new Set(
  words(`
    delay failOnStatusCode ignoreHTTPSErrors maxRedirects maxRetries message noWaitAfter reason runBeforeUnload scroll signal
    steps timeout useInnerText waitUntil
  `),
);

/** Of `test.use()`, `newContext()`, and `newPage()`. */
export const quietSettings: ReadonlySet<string> = new Set(
  words('acceptDownloads headless ignoreHTTPSErrors screenshot serviceWorkers trace video'),
);

/** Each continues a sentence that begins with the member. */
const reasons: readonly (readonly [reason: string, members: readonly string[]])[] = [
  [
    'runs code in the page, which is not supported.',
    words(`
      $eval $$eval addInitScript addScriptTag evaluate evaluateAll evaluateHandle exposeBinding exposeFunction waitForFunction
    `),
  ],
  [
    'replaces responses of the server, so nothing would be measured.',
    words('route routeFromHAR routeWebSocket'),
  ],
  ['uses a file, which is not imported.', words('drop setInputFiles')],
  ['changes the network, which a measurement must not.', words('setOffline')],
  [
    'changes what the browser keeps. Sign in with steps of the test instead.',
    words('addCookies clearCookies localStorage sessionStorage setStorageState'),
  ],
  [
    'keeps an element that was found once. Use page.locator() instead.',
    words('$ $$ elementHandle elementHandles'),
  ],
  ['is not supported. Use page.frameLocator() instead.', words('frame frames')],
];

/** Why a member is not imported, behind its name. */
export function reasonAgainst(member: string): string {
  const found = reasons.find(([, members]) => members.includes(member));
  return found?.[0] ?? 'is not supported. Leave it out.';
}
