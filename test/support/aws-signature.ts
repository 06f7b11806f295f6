/** Signature Version 4, as its public description says it. */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

export interface Signing {
  readonly service: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Whether the request has the signature that is made of it here, and of the hash of its body. */
export function isSigned(
  { method, url, headers }: IncomingMessage,
  bodyHash: string,
  { service, region, accessKeyId, secretAccessKey }: Signing,
): boolean {
  const [, credential = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const moment = String(headers['x-amz-date']);
  const day = moment.slice(0, 8);
  const scope = `${day}/${region}/${service}/aws4_request`;
  const signed = names.split(';');
  if (credential !== `${accessKeyId}/${scope}` || !signed.includes('host')) return false;
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
  const canonical = [method, url, '', lines, names, bodyHash].join('\n');
  const key = [service, 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secretAccessKey}`, day), region));
  return signature === hmac(key, ['AWS4-HMAC-SHA256', moment, scope, sha256(canonical)].join('\n')).toString('hex');
}
