import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import type { Test } from 'tap';

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate for localhost, signed by itself. */
export async function makeCertificate(t: Test): Promise<Certificate> {
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-tls-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const certFile = join(directory, 'certificate.pem');
  const keyFile = join(directory, 'key.pem');
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
  });
  // HAProxy takes them one behind the other.
  writeFileSync(certFile, `${cert.trim()}\n`);
  writeFileSync(keyFile, `${key.trim()}\n`);
  return { certFile, keyFile };
}
