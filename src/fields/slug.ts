import { type FieldKind, refined, sameSchema } from './field.ts';
import { localizedString, type LocalizedString } from './localized-string.ts';
import { localePattern } from './scalar.ts';

const slugPattern = '^[A-Za-z0-9_-]{2,256}$';
const SLUG = new RegExp(slugPattern);

/** The part of an address that stands for a resource in each locale: 2 to 256 of A-Z a-z 0-9 _ and -. */
export function slug(): FieldKind<LocalizedString> {
  const texts = localizedString();
  const schema = {
    type: 'object',
    propertyNames: { pattern: localePattern },
    additionalProperties: { type: 'string', pattern: slugPattern },
  };
  return {
    ...refined(texts, (value, parsing) => {
      for (const [locale, text] of Object.entries(value)) {
        if (SLUG.test(text)) continue;
        const since = parsing.faultCount;
        parsing.wrongValue(text, 'a slug of 2 to 256 letters, digits, hyphens and underscores');
        parsing.within(locale, since);
        return undefined;
      }
      return value;
    }),
    schema: sameSchema(schema),
  };
}
