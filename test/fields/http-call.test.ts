import t from 'tap';
import { ApiError } from '../../src/errors/api-error.ts';
import { required } from '../../src/fields/field.ts';
import { httpUrl } from '../../src/fields/http-call.ts';
import { parseObject } from '../../src/fields/object.ts';
import { Parsing } from '../../src/fields/parsing.ts';

const fields = { url: required(httpUrl('https://example.org')) };

t.test('a URL that is called is of HTTP or HTTPS, and names no user', async (t) => {
  const parsed = (url: string): unknown => {
    const parsing = new Parsing();
    const { url: read } = parseObject(fields, { url }, parsing) ?? {};
    parsing.settle();
    return read;
  };
  for (const url of ['https://example.org/a?b=c', 'http://localhost:8080']) t.equal(parsed(url), url);
  for (const url of ['ftp://example.org', 'example.org', 'https://user@example.org', 'https://:word@example.org'])
    t.throws(() => parsed(url), ApiError, url);
});
