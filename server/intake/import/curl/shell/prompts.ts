const powershell = /^[ \t]*PS (?:[A-Za-z]:\\[^<>|"'\n]{0,200})?> */;
/** `C:\Users\ada>`. */
const drive = /^[ \t]*[A-Za-z]:\\[^<>|"'\n]{0,200}> */;
/** A `#` alone begins a comment. */
const plain = /^[ \t]*[$%>❯➜›»] +(?=\S)/;
/** Of a person and a host, in brackets or not, or of a shell and its version. */
const named =
  /^[ \t]*(?:\([\w .-]{1,40}\) ?)?(?:\[[^\]]{1,100}\]|[\w.-]{1,60}@[\w.-]{1,60}|[a-z]{0,5}sh-\d[\d.]{0,10})[^\s'"|;&]{0,100}(?: [^\s'"|;&]{0,100})? ?[$#%>❯] *(?=\S)/;

const prompts = {
  bash: [plain, named],
  cmd: [drive, /^[ \t]*> */],
  drive: [drive],
  powershell: [powershell],
};

/**
 * The length of a shell's prompt at the beginning of a line, such as `$ ` or `user@host:~$ `, as it is copied from a terminal;
 * 0 when there is none.
 */
export function promptAt(text: string, at: number, of: keyof typeof prompts): number {
  const [line = ''] = text.slice(at, at + 300).split('\n', 1);
  return Math.max(...prompts[of].map((prompt) => prompt.exec(line)?.[0].length ?? 0));
}
