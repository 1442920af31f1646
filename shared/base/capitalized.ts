/** With its first letter in upper case: "other programs" becomes "Other programs". */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
