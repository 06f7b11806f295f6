/**
 * JSON of a value as far as `lengthMax` characters, and an ellipsis in place of the rest. What clients send is quoted in
 * errors by it: its cost is bounded by the excerpt, however large or deep the value is.
 */
export function excerptOf(value: unknown, lengthMax: number): string {
  if (value === undefined) return 'absent';
  const text = written(value, '', lengthMax);
  return shortened(text, lengthMax);
}

/** The text, or its begin and an ellipsis. No character is cut in two, which JSON could not tell. */
export function shortened(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax).replace(/\p{Surrogate}$/u, '')}…` : text;
}

/** `text` and the JSON of the value, unless it gets too long on the way. Each level adds a character, so depth is bounded. */
function written(value: unknown, text: string, lengthMax: number): string {
  if (text.length > lengthMax) return text;
  if (typeof value === 'string') return text + JSON.stringify(value.slice(0, lengthMax + 1));
  if (typeof value !== 'object' || value === null) return text + String(value);
  return Array.isArray(value) ? writtenList(value, text, lengthMax) : writtenMembers(value, text, lengthMax);
}

function writtenList(values: readonly unknown[], before: string, lengthMax: number): string {
  let text = `${before}[`;
  for (let index = 0; index < values.length && text.length <= lengthMax; index += 1)
    text = written(values[index], index === 0 ? text : `${text},`, lengthMax);
  return `${text}]`;
}

function writtenMembers(value: object, before: string, lengthMax: number): string {
  let text = `${before}{`;
  let separator = '';
  for (const name in value) {
    if (text.length > lengthMax) break;
    text += `${separator}${JSON.stringify(name.slice(0, lengthMax + 1))}:`;
    separator = ',';
    // Parsed JSON has members of its own alone.
    text = written((value as Readonly<Record<string, unknown>>)[name], text, lengthMax);
  }
  return `${text}}`;
}
