/** Pictures of the demo shop: a shape on a ground, drawn here, so that the shop needs no files and no network. */
import { crc32, deflateSync } from 'node:zlib';
import { colors, departments } from './words.ts';

export const pictureSize = { w: 320, h: 240 } as const;

export interface Picture {
  /** `rain-jacket-blue`, by which products find theirs. */
  readonly name: string;
  /** A PNG. */
  readonly bytes: Buffer;
}

/** One of each thing in each color. */
export function* pictures(): Iterable<Picture> {
  const things = departments.flatMap(({ groups }) => groups.flatMap((group) => group.things));
  for (const [index, thing] of things.entries()) {
    for (const { words, rgb } of colors) yield { name: pictureName(thing[0], words[0]), bytes: drawn(index, rgb) };
  }
}

export function pictureName(thing: string, color: string): string {
  return `${thing} ${color}`.toLowerCase().replaceAll(' ', '-');
}

type Rgb = readonly [red: number, green: number, blue: number];

/** Shades of the ground, then as many of the shape. */
const shades = 16;

/** A body of so many petals: each number gives another outline. */
function drawn(number: number, rgb: Rgb): Buffer {
  const { w, h } = pictureSize;
  const [petals, depth] = [2 + (number % 7), 0.12 + 0.06 * (number % 4)];
  const rows = Buffer.alloc((w + 1) * h);
  for (let y = 0; y < h; y += 1) {
    for (let x = 0; x < w; x += 1) {
      const [fromX, fromY] = [(x - w / 2) / (h / 2), (y - h / 2) / (h / 2)];
      const distance = Math.hypot(fromX, fromY);
      const edge = 0.68 + depth * Math.sin(petals * Math.atan2(fromY, fromX) + number);
      const shade = Math.min(shades - 1, Math.floor(((x + y) / (w + h)) * shades));
      // Each row begins with its filter, which is none.
      rows[y * (w + 1) + 1 + x] = distance < edge ? 2 * shades - 1 - shade : shade;
    }
  }
  return png(rows, paletteOf(rgb));
}

function paletteOf(rgb: Rgb): Buffer {
  const ground = Array.from({ length: shades }, (_, shade) => [240 - shade * 4, 238 - shade * 4, 232 - shade * 4]);
  const shape = Array.from({ length: shades }, (_, shade) =>
    rgb.map((channel) => Math.min(255, Math.round(channel * (0.7 + shade * 0.03)))),
  );
  return Buffer.from([...ground, ...shape].flat());
}

/** Eight bits for each pixel, from a palette (PNG, 11.2). */
function png(rows: Buffer, palette: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(pictureSize.w, 0);
  header.writeUInt32BE(pictureSize.h, 4);
  header.set([8, 3], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const body = [chunk('IHDR', header), chunk('PLTE', palette), chunk('IDAT', deflateSync(rows))];
  return Buffer.concat([signature, ...body, chunk('IEND', Buffer.alloc(0))]);
}

/** Length, name, data, and the check of name and data. */
function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const bytes = Buffer.alloc(named.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  bytes.set(named, 4);
  bytes.writeUInt32BE(crc32(named), named.length + 4);
  return bytes;
}
