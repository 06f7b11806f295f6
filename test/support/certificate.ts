import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate for localhost, signed by itself; undefined where there is no `openssl` to make it. */
export function makeCertificate(t: Test): Certificate | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-tls-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const certFile = join(directory, 'certificate.pem');
  const keyFile = join(directory, 'key.pem');
  const files = ['-keyout', keyFile, '-out', certFile];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    execFileSync('openssl', ['req', '-x509', ...key, ...files, '-days', '2', '-subj', '/CN=localhost'], {
      stdio: 'ignore',
    });
  } catch {
    return undefined;
  }
  return { certFile, keyFile };
}
