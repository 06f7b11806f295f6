/** The beginnings of image files, with the sizes that they are told to have. No viewer would show them. */

export function png(w: number, h: number): Buffer {
  const bytes = Buffer.alloc(33);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  bytes.writeUInt32BE(13, 8);
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(w, 16);
  bytes.writeUInt32BE(h, 20);
  bytes.set([8, 2], 24);
  return bytes;
}

export function gif(w: number, h: number): Buffer {
  const bytes = Buffer.alloc(20);
  bytes.write('GIF89a', 0, 'latin1');
  bytes.writeUInt16LE(w, 6);
  bytes.writeUInt16LE(h, 8);
  return bytes;
}

/** With a segment APP0 before the frame, as most files have. */
export function jpeg(w: number, h: number): Buffer {
  const application = [0xff, 0xe0, 0x00, 0x04, 0x4a, 0x46];
  const frame = [0xff, 0xc0, 0x00, 0x0b, 8, h >> 8, h & 0xff, w >> 8, w & 0xff, 1, 1, 0x11, 0];
  return Buffer.from([0xff, 0xd8, ...application, ...frame, 0xff, 0xd9]);
}
