/** An option of curl's command line. */
export type OptionName = {
  /** Without its dashes. */
  name: string;
  /** The one letter of its short form. */
  letter: string | null;
  takesValue: boolean;
};

/** Reads options as `curl --help all` prints them: ` -d, --data <data>  HTTP POST data`, one a line. */
export function readOptionNames(help: string): OptionName[] {
  return help.split('\n').flatMap((line) => {
    const match = /^\s*(?:-(\S), )?--([\w.-]+)(?: ([[<]))?/.exec(line);
    if (match === null) return [];
    const [, letter = null, name = '', value] = match;
    return [{ name, letter, takesValue: value !== undefined }];
  });
}
