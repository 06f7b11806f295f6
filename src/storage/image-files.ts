/**
 * Images as files, of which one is never written again: the name says what is in it. All processes that serve a project
 * have to see the directory. A file whose product is gone, or was never told of it, stays; it costs its room alone.
 */
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { imagesPath, type ImageStore } from '../engine/image-store.ts';
import { apiError } from '../errors/api-error.ts';
import { imageNamed, newImageName } from './image-names.ts';

export interface ImageFiles {
  readonly directory: string;
  /** By which clients know the server. */
  readonly baseUrl: string;
  /** Refuses by throwing where the disk is almost full. */
  requireRoom(): Promise<void>;
}

/** Of the images that are read at a time; as many bytes again are on their way to clients. */
const bytesReadMax = 64 * 1024 * 1024;
export function createImageFiles({ directory, baseUrl, requireRoom }: ImageFiles): ImageStore {
  let bytesRead = 0;
  return {
    keep: async (project, { mediaType, bytes, title }) => {
      await requireRoom();
      const name = newImageName({ mediaType, title });
      const folder = join(directory, project, imageNamed(project, name)!.part);
      await mkdir(folder, { recursive: true });
      await writeWhole(join(folder, name), bytes);
      return `${baseUrl}${imagesPath}/${project}/${name}`;
    },
    read: async (project, name) => {
      const named = imageNamed(project, name);
      if (named === undefined) return undefined;
      const file = join(directory, project, named.part, name);
      const size = await sizeOf(file);
      if (size === undefined) return undefined;
      if (bytesRead + size > bytesReadMax)
        throw apiError('OverCapacity', 'Too many images are read at a time. Try again later.');
      bytesRead += size;
      try {
        return { mediaType: named.mediaType, bytes: await readFile(file) };
      } finally {
        bytesRead -= size;
      }
    },
  };
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
