/** What a project says of a server that the platform calls for it. */
import { type FieldKind, refined } from './field.ts';
import { text } from './scalar.ts';

export function httpUrl(example: string): FieldKind<string> {
  return refined(text([example]), (url, parsing) =>
    isHttpUrl(url) ? url : parsing.wrongValue(url, 'a URL of HTTP or HTTPS without a user'),
  );
}

/** What a URL says of a user is shown to all who read it. */
function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** The value of a header, which is sent as it is. */
export function headerValue(example: string): FieldKind<string> {
  return refined(text([example]), (value, parsing) =>
    /^[\x21-\x7e][\x20-\x7e]{0,4095}$/.test(value)
      ? value
      : parsing.wrongValue(value, 'a header value of at most 4096 visible ASCII characters and blanks'),
  );
}
