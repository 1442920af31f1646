import type { CDPSession, Page } from 'playwright-core';
import { withinTime } from '../../../base/process/within-time.ts';

/** In CSS pixels of the picture; a page that is larger is made smaller. */
const most = { width: 640, height: 800 };
const quality = 60;
/** Of Base64. A page full of noise is left out rather than stored. */
const mostLength = 400_000;
const patienceMs = 3_000;

/**
 * A small JPEG of what a page shows now, in Base64, in which these values are dots. Null when the page gives none in time.
 * The page is changed for it: nothing may be done with it afterwards.
 */
export async function takePicture(page: Page, secrets: readonly string[]): Promise<string | null> {
  return withinTime(pictureOf(page, secrets), patienceMs, null);
}

async function pictureOf(page: Page, secrets: readonly string[]): Promise<string | null> {
  const session = await page.context().newCDPSession(page);
  // A picture that could show a secret is none.
  if (secrets.length > 0) await hideSecrets(session, secrets);
  const { cssVisualViewport: shown } = await session.send('Page.getLayoutMetrics');
  const scale = Math.min(1, most.width / shown.clientWidth);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'jpeg',
    quality,
    clip: {
      x: shown.pageX,
      y: shown.pageY,
      width: shown.clientWidth,
      height: Math.min(shown.clientHeight, most.height / scale),
      scale,
    },
  });
  return data.length > mostLength ? null : data;
}

/** In an isolated world, where the page’s scripts cannot see the values. */
async function hideSecrets(session: CDPSession, secrets: readonly string[]): Promise<void> {
  const spelled = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))];
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'tls-toll',
  });
  const { exceptionDetails } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: String(hide),
    executionContextId,
    arguments: [{ value: spelled.toSorted((a, b) => b.length - a.length) }],
  });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
}

/**
 * Runs in the page: texts show dots for the values, fields for whatever they hold, as a page may space a value out. Frames,
 * and elements of the page's own that nobody can look into, show nothing.
 */
function hide(values: string[]): void {
  const clean = (text: string) =>
    values.reduce((rest, value) => (value === '' ? rest : rest.split(value).join('•••')), text);
  const visit = (root: Node): void => {
    for (const node of root.childNodes) {
      if (node instanceof Text && node.data !== clean(node.data)) node.data = clean(node.data);
      if (!(node instanceof HTMLElement)) {
        visit(node);
        continue;
      }
      const isClosed = node.tagName.includes('-') && node.shadowRoot === null;
      if (isClosed || /^(?:IFRAME|FRAME|OBJECT|EMBED|CANVAS)$/.test(node.tagName))
        node.style.setProperty('visibility', 'hidden', 'important');
      if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) {
        if (node.value !== '' && !/^(?:button|submit|reset|checkbox|radio|file)$/.test(node.type))
          node.value = '•••';
        if (node.placeholder !== clean(node.placeholder)) node.placeholder = clean(node.placeholder);
      }
      if (node.shadowRoot !== null) visit(node.shadowRoot);
      visit(node);
    }
  };
  visit(document);
}
