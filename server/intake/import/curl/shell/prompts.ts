/**
 * The length of a shell's prompt at the beginning of a line, such as `$ ` or `user@host:~$ `, as it is copied from a terminal;
 * 0 when there is none. A `#` alone begins a comment.
 */
export function promptAt(text: string, at: number): number {
  const line = text.slice(at, at + 300);
  const end = line.indexOf('\n');
  const first = end < 0 ? line : line.slice(0, end);
  return (plainPrompt.exec(first) ?? namedPrompt.exec(first))?.[0].length ?? 0;
}

const plainPrompt = /^[ \t]*[$%>❯➜›»] +(?=\S)/;

/** Of a person and a host, in brackets or not, or of a shell and its version. */
const namedPrompt =
  /^[ \t]*(?:\([\w .-]{1,40}\) ?)?(?:\[[^\]]{1,100}\]|[\w.-]{1,60}@[\w.-]{1,60}|[a-z]{0,5}sh-\d[\d.]{0,10})[^\s'"|;&]{0,100}(?: [^\s'"|;&]{0,100})? ?[$#%>❯] *(?=\S)/;

/** Of cmd: `C:\Users\ada>`. */
export function cmdPromptAt(text: string, at: number): number {
  const line = text.slice(at, at + 300);
  const prompt = drivePrompt.exec(line) ?? /^[ \t]*> */.exec(line);
  return prompt?.[0].length ?? 0;
}

export function hasPowershellPromptAt(text: string, at: number): boolean {
  return powershellPrompt.test(text.slice(at, at + 300));
}

export function hasDrivePromptAt(text: string, at: number): boolean {
  return drivePrompt.test(text.slice(at, at + 300));
}

const powershellPrompt = /^[ \t]*PS (?:[A-Za-z]:\\[^<>|"'\n]{0,200})?> */;
const drivePrompt = /^[ \t]*[A-Za-z]:\\[^<>|"'\n]{0,200}> */;
