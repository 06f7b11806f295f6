/** Images as objects of a store that speaks S3, which processes on several machines share. Nothing is ever written again. */
import { AwsV4Signer } from 'aws4fetch';
import { Agent, request } from 'undici';
import { imagesPath, type ImageStore } from '../engine/image-store.ts';
import { apiError } from '../errors/api-error.ts';
import { imageNamed, newImageName } from './image-names.ts';

/** Where objects are, and as whom they are asked for. */
export interface ObjectStore {
  /** Of the service, without the bucket, which is the first part of paths. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const answerMsMax = 10_000;
const connectionsMax = 32;
/** Requests under way, of which each may hold an image. */
const underWayMax = 64;
/** No image that was taken is larger. */
const imageBytesMax = 10 * 1024 * 1024;

export function createImageObjects(store: ObjectStore, { baseUrl }: { readonly baseUrl: string }): ImageStore {
  const dispatcher = new Agent({
    connections: connectionsMax,
    connect: { timeout: answerMsMax },
    headersTimeout: answerMsMax,
    bodyTimeout: answerMsMax,
    // Whether the answer says how long it is or not.
    maxResponseSize: imageBytesMax,
  });
  let underWay = 0;

  async function ask(
    method: 'GET' | 'PUT',
    path: string,
    sent?: { readonly type: string; readonly bytes: Uint8Array },
  ) {
    if (underWay >= underWayMax)
      throw apiError('OverCapacity', 'Too many images are read and written. Try again later.');
    underWay += 1;
    try {
      const body = sent && Buffer.from(sent.bytes.buffer, sent.bytes.byteOffset, sent.bytes.byteLength);
      const signed = await new AwsV4Signer({
        method,
        url: `${store.endpoint}/${store.bucket}/${path}`,
        // The bytes themselves are not signed: they are as safe as the connection is.
        ...(sent !== undefined && { headers: { 'content-type': sent.type } }),
        service: 's3',
        region: store.region,
        accessKeyId: store.accessKeyId,
        secretAccessKey: store.secretAccessKey,
      }).sign();
      const answer = await request(signed.url, {
        method,
        headers: Object.fromEntries(signed.headers),
        ...(body !== undefined && { body }),
        dispatcher,
      });
      return { status: answer.statusCode, bytes: Buffer.from(await answer.body.arrayBuffer()) };
    } catch (error) {
      throw unreachable(error);
    } finally {
      underWay -= 1;
    }
  }

  return {
    keep: async (project, { mediaType, bytes, title }) => {
      const name = newImageName({ mediaType, title });
      const { status, bytes: answer } = await ask('PUT', `${project}/${name}`, { type: mediaType, bytes });
      if (status !== 200) throw unreachable(refused(status, answer));
      return `${baseUrl}${imagesPath}/${project}/${name}`;
    },
    read: async (project, name) => {
      const named = imageNamed(project, name);
      if (named === undefined) return undefined;
      const { status, bytes } = await ask('GET', `${project}/${name}`);
      if (status === 404) return undefined;
      if (status !== 200) throw unreachable(refused(status, bytes));
      return { mediaType: named.mediaType, bytes };
    },
  };
}

function refused(status: number, answer: Buffer): Error {
  return new Error(`status ${status}: ${answer.toString('utf8', 0, 300)}`);
}

function unreachable(cause: unknown): Error {
  const failure = apiError('OverCapacity', 'The store of the images does not answer. Try again later.');
  // For the log; clients hear nothing of what is behind the platform.
  failure.cause = cause;
  return failure;
}
