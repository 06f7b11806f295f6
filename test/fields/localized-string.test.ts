import fc from 'fast-check';
import t from 'tap';
import { localizedString } from '../../src/fields/localized-string.ts';

const [name] = localizedString().output.fields('name', false);
const locale = fc.constantFrom('en', 'en-GB', 'en-US', 'de', 'de-AT', 'fr', '__proto__', 'constructor');
const texts = fc
  .uniqueArray(locale, { maxLength: 5 })
  .map((all) => Object.fromEntries(all.map((each) => [each, `in ${each}`])));

/** The first of the tags, or of their languages, that has a text. */
function wanted(value: Readonly<Record<string, string>>, tags: readonly string[]): string | undefined {
  return tags
    .flatMap((tag) => [tag, tag.slice(0, 2)])
    .filter((tag) => Object.hasOwn(value, tag))
    .map((tag) => value[tag])[0];
}

t.test('a text is that of the first locale that is accepted', async (t) => {
  fc.assert(
    fc.property(texts, fc.option(locale), fc.option(fc.array(locale, { maxLength: 6 })), (value, locale, accepted) => {
      const tags = [...(locale === null ? [] : [locale]), ...(accepted ?? [])];
      if (tags.length === 0) return;
      t.equal(name!.read({ name: value }, { locale, acceptLanguage: accepted }), wanted(value, tags));
    }),
    { seed: 42, numRuns: 500 },
  );
});

t.test('without any it is that of the shortest locale', async (t) => {
  const read = (value: object): unknown => name!.read({ name: value }, { acceptLanguage: [] });
  t.equal(read({ 'de-AT': 'three', fr: 'two', de: 'one' }), 'one');
  t.equal(read({}), undefined);
});
