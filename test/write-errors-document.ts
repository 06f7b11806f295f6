/** Writes docs/errors.md from the table of errors; test/errors/codes.test.ts fails when it is not up to date. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorsDocument, errorsDocumentFile } from './support/errors-document.ts';

mkdirSync(dirname(errorsDocumentFile), { recursive: true });
writeFileSync(errorsDocumentFile, errorsDocument());
