/** The languages other than JavaScript that codegen writes, each with words that only it has. */
const languages = [
  {
    name: 'Python',
    signs:
      /^[ \t]*(?:from|import) playwright\b|\(page: Page\) ->|\.get_by_\w+\(|\)\.to_(?:be|contain|have|match)_/m,
  },
  {
    name: 'Java',
    signs:
      /^[ \t]*import (?:static )?com\.microsoft\.playwright\b|\bpage\.navigate\(|\bassertThat\(|\bAriaRole\.[A-Z]{2}/m,
  },
  {
    name: 'C#',
    signs:
      /^[ \t]*using Microsoft\.Playwright|\bPage\.(?:Goto|Click|Fill|GetBy|Locator)\w*\(|\.(?:GotoAsync|ClickAsync|FillAsync)\(/m,
  },
] as const;

/** What to do with a Playwright test in another language; null when the text is none. */
export function adviceOnLanguage(text: string): string | null {
  if (/@playwright\/test|require\(\s*['"]playwright/.test(text)) return null;
  const language = languages.find(({ signs }) => signs.test(text));
  if (language === undefined) return null;
  const [, url = 'URL'] = /(?:goto|navigate|GotoAsync)\(\s*"(https?:\/\/[^"\s]+)"/i.exec(text) ?? [];
  return `This is a Playwright test in ${language.name}, and only JavaScript and TypeScript are imported. Record it again with npx playwright codegen --target javascript ${url.replace(/^(\w+:\/\/)[^/@]*@/, '$1')}`;
}
