/** A store of objects that speaks as much of S3 as images need, and takes no request whose signature it does not make itself. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import type { ObjectStore } from '../../src/storage/image-objects.ts';
import { isSigned } from './aws-signature.ts';

export interface ObjectStand {
  readonly settings: ObjectStore;
  readonly objects: Map<string, { readonly type: string; readonly bytes: Buffer }>;
  close(): void;
}

export async function startObjectStore(t: Test): Promise<ObjectStand> {
  const objects: ObjectStand['objects'] = new Map();
  const secret = { bucket: 'pictures', region: 'eu-test-1', accessKeyId: 'ID', secretAccessKey: 'SECRET' };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const name = request.url!;
      const hash = String(request.headers['x-amz-content-sha256']);
      if (!isSigned(request, hash, { ...secret, service: 's3' }))
        return response.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>');
      if (request.method === 'PUT') {
        objects.set(name, { type: request.headers['content-type']!, bytes: Buffer.concat(chunks) });
        return response.writeHead(200).end();
      }
      const found = objects.get(name);
      return found === undefined
        ? response.writeHead(404).end('<Code>NoSuchKey</Code>')
        : response.writeHead(200, { 'content-length': found.bytes.length }).end(found.bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  t.teardown(close);
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { settings: { ...secret, endpoint }, objects, close };
}
