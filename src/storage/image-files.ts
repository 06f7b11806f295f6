/**
 * Images as files, of which one is never written again: the name says what is in it. All processes that serve a project
 * have to see the directory. A file whose product is gone, or was never told of it, stays; it costs its room alone.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { imagesPath, type ImageStore, type ImageType } from '../engine/image-store.ts';
import { apiError } from '../errors/api-error.ts';

export interface ImageFiles {
  readonly directory: string;
  /** By which clients know the server. */
  readonly baseUrl: string;
  /** Refuses by throwing where the disk is almost full. */
  requireRoom(): Promise<void>;
}

const extensions: Readonly<Record<ImageType, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/gif': 'gif' };
const typesByExtension = new Map<string | undefined, ImageType>(
  // The names are those of the type.
  (Object.entries(extensions) as [ImageType, string][]).map(([mediaType, extension]) => [extension, mediaType]),
);

/** Of the images that are read at a time; as many bytes again are on their way to clients. */
const bytesReadMax = 64 * 1024 * 1024;
const titleLengthMax = 64;

const NAME = /^(?:[A-Za-z0-9_-]{1,64}-)?([0-9a-f]{2})[0-9a-f]{6}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(jpg|png|gif)$/;
/** Of a project that there can be. */
const PROJECT = /^[a-z0-9_-]{2,36}$/;

export function createImageFiles({ directory, baseUrl, requireRoom }: ImageFiles): ImageStore {
  let bytesRead = 0;
  return {
    keep: async (project, { mediaType, bytes, title }) => {
      await requireRoom();
      const id = randomUUID();
      const name = `${titleOf(title)}${id}.${extensions[mediaType]}`;
      const folder = join(directory, project, id.slice(0, 2));
      await mkdir(folder, { recursive: true });
      await writeWhole(join(folder, name), bytes);
      return `${baseUrl}${imagesPath}/${project}/${name}`;
    },
    read: async (project, name) => {
      const [, part, extension] = NAME.exec(name) ?? [];
      const mediaType = typesByExtension.get(extension);
      if (part === undefined || mediaType === undefined || !PROJECT.test(project)) return undefined;
      const file = join(directory, project, part, name);
      const size = await sizeOf(file);
      if (size === undefined) return undefined;
      if (bytesRead + size > bytesReadMax)
        throw apiError('OverCapacity', 'Too many images are read at a time. Try again later.');
      bytesRead += size;
      try {
        return { mediaType, bytes: await readFile(file) };
      } finally {
        bytesRead -= size;
      }
    },
  };
}

/** What can stand in a file name and in a URL as it is, before the part that no other image has. */
function titleOf(title = ''): string {
  const plain = title
    .replace(/\.\w{1,5}$/, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .slice(0, titleLengthMax);
  return plain === '' ? '' : `${plain}-`;
}

/** Nobody meets half an image under its name, not even after the machine has stopped. */
async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const unfinished = `${file}.part`;
  try {
    const handle = await open(unfinished, 'wx', 0o644);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    if (codeOf(error) !== 'ENOSPC') throw error;
    throw apiError('OverCapacity', 'The disk of the images is full. Try again later.');
  }
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
