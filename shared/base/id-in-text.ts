/** The ID of a result in what somebody pasted: the ID itself, or a link to the result, whatever the server; else null. */
export function idInText(text: string): string | null {
  const [, ofLink, alone] = form.exec(text.trim()) ?? [];
  return ofLink ?? alone ?? null;
}

const form =
  /^(?:(?:https?:\/\/[^/\s]+)?\/[rl]\/([0-9A-Za-z]{22})(?:\.[a-z]+)?(?:[?#]\S*)?|([0-9A-Za-z]{22}))$/;
