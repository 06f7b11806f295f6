/** What images are called where they are kept: the name says which type one has, and no two have the same. */
import { randomUUID } from 'node:crypto';
import type { ImageType, NewImage } from '../engine/image-store.ts';

const extensions: Readonly<Record<ImageType, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/gif': 'gif' };
const typesByExtension = new Map<string | undefined, ImageType>(
  // The names are those of the type.
  (Object.entries(extensions) as [ImageType, string][]).map(([mediaType, extension]) => [extension, mediaType]),
);

const titleLengthMax = 64;

const NAME = /^(?:[A-Za-z0-9_-]{1,64}-)?([0-9a-f]{2})[0-9a-f]{6}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(jpg|png|gif)$/;
/** Of a project that there can be. */
const PROJECT = /^[a-z0-9_-]{2,36}$/;

export interface ImageName {
  readonly mediaType: ImageType;
  /** One of 256, for images of a project to be spread over. */
  readonly part: string;
}

export function newImageName({ mediaType, title }: Pick<NewImage, 'mediaType' | 'title'>): string {
  return `${titleOf(title)}${randomUUID()}.${extensions[mediaType]}`;
}

/** Undefined for what no image is called. */
export function imageNamed(project: string, name: string): ImageName | undefined {
  const [, part, extension] = NAME.exec(name) ?? [];
  const mediaType = typesByExtension.get(extension);
  return part === undefined || mediaType === undefined || !PROJECT.test(project) ? undefined : { mediaType, part };
}

/** What can stand in a file name and in a URL as it is, before the part that no other image has. */
function titleOf(title = ''): string {
  const plain = title
    .replace(/\.\w{1,5}$/, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .slice(0, titleLengthMax);
  return plain === '' ? '' : `${plain}-`;
}
