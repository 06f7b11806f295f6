import t from 'tap';
import { imageHeader } from '../../../src/resources/product/image-header.ts';
import { gif, jpeg, png } from '../../support/image-files.ts';

t.test('the size of each format is read from its header', async (t) => {
  t.strictSame(imageHeader(png(640, 480)), { mediaType: 'image/png', dimensions: { w: 640, h: 480 } });
  t.strictSame(imageHeader(gif(3, 70_000 % 65_536)), { mediaType: 'image/gif', dimensions: { w: 3, h: 4464 } });
  t.strictSame(imageHeader(jpeg(1200, 7)), { mediaType: 'image/jpeg', dimensions: { w: 1200, h: 7 } });
  const within = Buffer.concat([Buffer.alloc(5), png(8, 9)]).subarray(5);
  t.match(imageHeader(within), { dimensions: { w: 8, h: 9 } }, 'wherever the bytes stand in memory');
});

t.test('a frame may come behind other segments, fill bytes and markers without length', async (t) => {
  const application = Buffer.from([0xff, 0xe1, 0x00, 0x06, 1, 2, 3, 4]);
  const restart = Buffer.from([0xff, 0xd0]);
  const fill = Buffer.from([0xff, 0xff]);
  const bytes = jpeg(31, 41);
  const behind = Buffer.concat([bytes.subarray(0, 2), application, restart, fill, bytes.subarray(2)]);
  t.match(imageHeader(behind), { mediaType: 'image/jpeg', dimensions: { w: 31, h: 41 } });
});

t.test('a frame is looked for within a limit', async (t) => {
  const bytes = jpeg(31, 41);
  const filled = (count: number): Buffer =>
    Buffer.concat([bytes.subarray(0, 2), Buffer.alloc(count, 0xff), bytes.subarray(2)]);
  t.match(imageHeader(filled(1000)), { dimensions: { w: 31, h: 41 } });
  t.equal(imageHeader(filled(100_000)), undefined, 'behind many fill bytes');
  const restarts = Buffer.alloc(100_000, Buffer.from([0xff, 0xd0]));
  t.equal(imageHeader(Buffer.concat([bytes.subarray(0, 2), restarts, bytes.subarray(2)])), undefined);
});

t.test('whatever else the bytes are, they are no image', async (t) => {
  const bytes: Readonly<Record<string, Uint8Array>> = {
    nothing: Buffer.alloc(0),
    'a text': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'a PNG without width': png(0, 5),
    'a PNG wider than any': png(2 ** 31, 5),
    'a PNG that ends in its header': png(5, 5).subarray(0, 24),
    'a GIF without height': gif(5, 0),
    'a GIF of no version': Buffer.concat([Buffer.from('GIF88a'), gif(5, 5).subarray(6)]),
    'a JPEG without height': jpeg(5, 0),
    'a JPEG that ends before its frame': jpeg(5, 5).subarray(0, 6),
    'a JPEG that is scanned before its frame': Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2, ...Buffer.alloc(20)]),
    'a JPEG of segments without length': Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      ...Array.from({ length: 10_000 }, () => Buffer.from([0xff, 0xe1, 0, 0])),
    ]),
    'a JPEG of fill bytes': Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(100_000, 0xff)]),
  };
  for (const [name, given] of Object.entries(bytes)) t.equal(imageHeader(given), undefined, name);
});

t.test('no prefix and no changed byte of an image is taken for more than it is', async (t) => {
  for (const whole of [png(20, 10), gif(20, 10), jpeg(20, 10)]) {
    for (let length = 0; length <= whole.length; length += 1) imageHeader(whole.subarray(0, length));
    for (let at = 0; at < whole.length; at += 1) {
      for (const byte of [0, 1, 0x7f, 0x80, 0xff]) {
        const changed = Buffer.from(whole);
        changed[at] = byte;
        const header = imageHeader(changed);
        if (header !== undefined && !(header.dimensions.w > 0 && header.dimensions.h > 0))
          t.fail(`byte ${at} is ${byte}`);
      }
    }
  }
  t.pass('nothing was thrown');
});
