/**
 * What the first bytes of an image say of it. The bytes are a client's, so nothing that they say is believed: every offset
 * stays within them, and each step goes forward. No pixel is decoded.
 */
import type { ImageType } from '../../engine/image-store.ts';

export interface ImageHeader {
  readonly mediaType: ImageType;
  readonly dimensions: { readonly w: number; readonly h: number };
}

/** Undefined for bytes that are none of the three formats, or whose header says no size. */
export function imageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = pngHeader(view) ?? gifHeader(view) ?? jpegHeader(view);
  return header !== undefined && header.dimensions.w > 0 && header.dimensions.h > 0 ? header : undefined;
}

const pngSignature = [0x89504e47, 0x0d0a1a0a] as const;
const ihdr = 0x49484452;

/** The signature, then the chunk IHDR of 13 bytes, which begins with width and height (PNG, 5.2 and 11.2.1). */
function pngHeader(view: DataView): ImageHeader | undefined {
  if (view.byteLength < 33) return undefined;
  if (view.getUint32(0) !== pngSignature[0] || view.getUint32(4) !== pngSignature[1]) return undefined;
  if (view.getUint32(8) !== 13 || view.getUint32(12) !== ihdr) return undefined;
  const [w, h] = [view.getUint32(16), view.getUint32(20)];
  // Neither has the highest bit.
  return Math.max(w, h) >= 2 ** 31 ? undefined : { mediaType: 'image/png', dimensions: { w, h } };
}

/** `GIF87a` or `GIF89a`, then the size of the logical screen (GIF89a, 17 and 18). */
function gifHeader(view: DataView): ImageHeader | undefined {
  if (view.byteLength < 13 || view.getUint32(0) !== 0x47494638) return undefined;
  const version = view.getUint16(4);
  if (version !== 0x3761 && version !== 0x3961) return undefined;
  return { mediaType: 'image/gif', dimensions: { w: view.getUint16(6, true), h: view.getUint16(8, true) } };
}

const startOfImage = 0xffd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
/** C4, C8 and CC among them begin something else than a frame. */
const frames: ReadonlySet<number> = new Set([
  0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
]);

/** Segments, markers without a length and fill bytes before the frame. Large images have some hundred. */
const jpegStepsMax = 10_000;

/**
 * Segments, each with a marker and its length, up to the frame, which has precision, height and width (ITU T.81, B.1.1 and
 * B.2.2). A height of 0 would come behind the first scan; such images are rare, and say no size here.
 */
function jpegHeader(view: DataView): ImageHeader | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== startOfImage) return undefined;
  let at = 2;
  for (let step = 0; step < jpegStepsMax && at + 9 <= view.byteLength; step += 1) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === startOfScan || marker === endOfImage) return undefined;
    // Any number of bytes FF may stand before a marker; some markers have no length.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (frames.has(marker)) {
      const [h, w] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      return { mediaType: 'image/jpeg', dimensions: { w, h } };
    } else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
}
