import { apiError } from '../errors/api-error.ts';
import { imagesPath, type ImageStore, imageTypes } from '../engine/image-store.ts';
import { anyFailures } from './description.ts';
import { isKnown } from './etag.ts';
import type { Response } from './response.ts';
import type { PlainRoute } from './routes.ts';

/** An image never changes under its URL. Whatever its bytes may be taken for, browsers are told not to. */
const always = [
  ['Cache-Control', 'public, max-age=31536000, immutable'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; sandbox"],
] as const;

/** `GET /-/images/{projectKey}/{imageName}`: what was uploaded, for anybody who has the URL, as shops show it to all. */
export function imageRoute(images: Pick<ImageStore, 'read'>): PlainRoute {
  return {
    path: `${imagesPath}/{projectKey}/{imageName}`,
    operations: {
      GET: {
        id: 'getImage',
        summary: 'Read an image that was uploaded.',
        tag: 'Server',
        access: 'anyone',
        parameters: [{ name: 'imageName', in: 'path', required: true, schema: { type: 'string' } }],
        answers: { 200: {} },
        answerTypes: imageTypes,
        failures: [...anyFailures, 404],
      },
    },
    handle: async ({ head }, { projectKey = '', imageName = '' }): Promise<Response> => {
      const image = await images.read(projectKey, imageName);
      if (image === undefined) throw apiError('ResourceNotFound', `There is no image '${imageName.slice(0, 200)}'.`);
      const headers = [...always, ['ETag', `"${imageName}"`] as const];
      if (isKnown(head.ifNoneMatch, `"${imageName}"`)) return { status: 304, body: '', headers };
      return { status: 200, body: image.bytes, headers: [...headers, ['Content-Type', image.mediaType]] };
    },
  };
}
