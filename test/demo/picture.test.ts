import { inflateSync } from 'node:zlib';
import t from 'tap';
import { pictureSize, pictures } from '../../src/demo/picture.ts';
import { imageHeader } from '../../src/resources/product/image-header.ts';

t.test('each thing has a picture of its own in each color, of the size that is said', async (t) => {
  const all = [...pictures()];
  t.equal(all.length, new Set(all.map(({ name }) => name)).size, 'names differ');
  t.equal(all.length, new Set(all.map(({ bytes }) => bytes.toString('base64'))).size, 'pictures differ');
  for (const { name, bytes } of all) {
    t.match(name, /^[a-z-]+$/);
    t.strictSame(imageHeader(bytes), { mediaType: 'image/png', dimensions: pictureSize }, name);
  }
  const [{ bytes }] = all as [(typeof all)[number]];
  const at = bytes.indexOf('IDAT');
  const rows = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)));
  t.equal(rows.length, (pictureSize.w + 1) * pictureSize.h, 'a byte for each pixel, and one for each row');
});
