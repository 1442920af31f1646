import { because, type KnownApi, words } from './known-api.ts';

export const pageApi: KnownApi = {
  name: 'page',
  done: words(`
    check click close context dblclick dispatchEvent dragAndDrop emulateMedia fill focus frameLocator getByAltText getByLabel
    getByPlaceholder getByRole getByTestId getByText getByTitle goBack goForward goto hover keyboard locator mainFrame mouse on
    once press reload request selectOption setChecked setExtraHTTPHeaders setViewportSize tap type uncheck waitForEvent
    waitForNavigation waitForSelector waitForTimeout waitForURL
  `),
  withoutEffect: words(`
    ariaSnapshot ariaSnapshotJSON bringToFront cancelPickLocator clearConsoleMessages clearPageErrors consoleMessages content
    coverage getAttribute hideHighlight innerHTML innerText inputValue isChecked isClosed isDisabled isEditable isEnabled
    isHidden isVisible off opener pageErrors pause pdf removeAllListeners removeListener requestGC requests screencast
    screenshot setDefaultNavigationTimeout setDefaultTimeout textContent title url video viewportSize waitForLoadState
    waitForRequest waitForResponse workers
  `),
  refused: [
    [
      because.code,
      words(
        '$eval $$eval addInitScript addScriptTag evaluate evaluateHandle exposeBinding waitForFunction webmcp',
      ),
    ],
    [
      because.ownCode,
      words('addListener addLocatorHandler exposeFunction pickLocator prependListener removeLocatorHandler'),
    ],
    [because.replaces, words('route routeFromHAR routeWebSocket unroute unrouteAll')],
    [because.files, words('setInputFiles')],
    [because.handles, words('$ $$ getByRef')],
    ['changes how the page looks without its server.', words('addStyleTag setContent')],
    ['changes the time of the page, which is not supported.', words('clock')],
    ['changes what the browser keeps, which is not supported.', words('localStorage sessionStorage')],
    ['is not supported. Use page.frameLocator() instead.', words('frame frames')],
    ['is a touch, which is not supported. Use the mouse or a locator instead.', words('touchscreen')],
  ],
};

export const keyboardApi: KnownApi = {
  name: 'keyboard',
  done: words('down insertText press type up'),
  withoutEffect: [],
  refused: [],
};

export const mouseApi: KnownApi = {
  name: 'mouse',
  done: words('click dblclick down move up wheel'),
  withoutEffect: [],
  refused: [],
};

export const contextApi: KnownApi = {
  name: 'context',
  done: words('close newPage on once request setExtraHTTPHeaders waitForEvent'),
  withoutEffect: words(`
    backgroundPages browser cookies isClosed off pages removeAllListeners removeListener serviceWorkers
    setDefaultNavigationTimeout setDefaultTimeout storageState tracing
  `),
  refused: [
    [because.code, words('addInitScript exposeBinding')],
    [because.ownCode, words('addListener exposeFunction newCDPSession prependListener')],
    [because.replaces, words('route routeFromHAR routeWebSocket unroute unrouteAll')],
    [because.network, words('setOffline')],
    [
      'changes what the browser keeps, which is not supported. Sign in with steps of the test instead.',
      words('addCookies clearCookies credentials setStorageState'),
    ],
    ['is not supported. Write the user in front of the host instead.', words('setHTTPCredentials')],
    [
      'changes what the page may do, which is not supported.',
      words('clearPermissions grantPermissions setGeolocation'),
    ],
    ['changes the time of the page, which is not supported.', words('clock')],
    ['stops the page, which is not supported.', words('debugger')],
  ],
};

export const browserApi: KnownApi = {
  name: 'browser',
  done: words('close newContext newPage'),
  withoutEffect: words(
    'bind browserType contexts isConnected off removeAllListeners removeListener startTracing stopTracing unbind version',
  ),
  refused: [[because.ownCode, words('addListener newBrowserCDPSession on once prependListener')]],
};
