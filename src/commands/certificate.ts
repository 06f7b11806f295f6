import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { generate } from 'selfsigned';
import { parseCommand, usageError } from './arguments.ts';

const usage = `Usage: node dist/src/main.js certificate FILE [--host NAME]
Writes a certificate for the host, by default localhost, which is signed by itself, and its key, unless the file is there.`;

const daysMax = 825;

/** `certificate FILE` gives a proxy something to start with; whoever has a certificate puts it in the file's place. */
export async function runCertificateCommand(args: readonly string[]): Promise<void> {
  const options = { host: { type: 'string', default: 'localhost' } } as const;
  const { values, positionals } = parseCommand(args, options, usage);
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw usageError('The command takes the name of a file.', usage);
  if (existsSync(file)) return;
  const notBeforeDate = new Date();
  const notAfterDate = new Date(notBeforeDate);
  notAfterDate.setDate(notAfterDate.getDate() + daysMax);
  const { cert, private: key } = await generate([{ name: 'commonName', value: values.host }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate,
    notAfterDate,
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: values.host }] }],
  });
  // Whoever reads it meanwhile finds none or a whole one. The proxy has a user of its own.
  writeFileSync(`${file}.new`, `${cert.trim()}\n${key.trim()}\n`, { mode: 0o644 });
  renameSync(`${file}.new`, file);
  process.stdout.write(`A certificate for ${values.host}, signed by itself, is in ${file}.\n`);
}
