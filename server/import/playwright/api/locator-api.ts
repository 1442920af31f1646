import { because, type KnownApi, words } from './known-api.ts';

export const locatorApi: KnownApi = {
  name: 'locator',
  done: words(`
    and blur check clear click contentFrame dblclick describe dispatchEvent dragTo fill filter first focus frameLocator
    getByAltText getByLabel getByPlaceholder getByRole getByTestId getByText getByTitle hover last locator normalize nth or page
    press pressSequentially scrollIntoViewIfNeeded selectOption selectText setChecked tap type uncheck visible waitFor within
  `),
  withoutEffect: words(`
    all allInnerTexts allTextContents ariaSnapshot ariaSnapshotJSON boundingBox count description getAttribute hideHighlight
    highlight innerHTML innerText inputValue isChecked isDisabled isEditable isEnabled isHidden isVisible screenshot
    textContent toString
  `),
  refused: [
    [because.code, words('evaluate evaluateAll evaluateHandle waitForFunction')],
    [because.files, words('drop setInputFiles')],
    [because.handles, words('elementHandle elementHandles')],
  ],
};

export const frameLocatorApi: KnownApi = {
  name: 'frameLocator',
  done: words(`
    first frameLocator getByAltText getByLabel getByPlaceholder getByRole getByTestId getByText getByTitle last locator nth
    owner
  `),
  withoutEffect: [],
  refused: [],
};

export const locatorAssertions: KnownApi = {
  name: 'expect(locator)',
  done: words(`
    not toBeAttached toBeChecked toBeDisabled toBeEditable toBeEmpty toBeEnabled toBeFocused toBeHidden toBeInViewport
    toBeVisible toContainText toHaveAttribute toHaveCount toHaveId toHaveText toHaveValue
  `),
  withoutEffect: [],
  refused: [
    [
      'is not checked. It sends nothing.',
      words(`
        toContainClass toHaveAccessibleDescription toHaveAccessibleErrorMessage toHaveAccessibleName toHaveCSS toHaveClass
        toHaveJSProperty toHaveRole toHaveScreenshot toHaveValues toMatchAriaSnapshot
      `),
    ],
  ],
};

export const pageAssertions: KnownApi = {
  name: 'expect(page)',
  done: words('not toHaveTitle toHaveURL'),
  withoutEffect: [],
  refused: [['is not checked. It sends nothing.', words('toHaveScreenshot toMatchAriaSnapshot')]],
};
