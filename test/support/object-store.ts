/** A store of objects that speaks as much of S3 as images need, and takes no request whose signature it does not make itself. */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import type { ObjectStore } from '../../src/storage/image-objects.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

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
      if (!isSigned(request, secret)) return response.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>');
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

/** Signature Version 4, as its public description says it. */
function isSigned(
  { method, url, headers }: IncomingMessage,
  { region, accessKeyId, secretAccessKey }: Omit<ObjectStore, 'endpoint'>,
): boolean {
  const [, credential = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const moment = String(headers['x-amz-date']);
  const day = moment.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const signed = names.split(';');
  if (credential !== `${accessKeyId}/${scope}` || !signed.includes('host')) return false;
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
  const canonical = [method, url, '', lines, names, headers['x-amz-content-sha256']].join('\n');
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secretAccessKey}`, day), region));
  return signature === hmac(key, ['AWS4-HMAC-SHA256', moment, scope, sha256(canonical)].join('\n')).toString('hex');
}
