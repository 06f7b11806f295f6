import { join } from 'node:path';
import { type ErrorCode, errorTable, fieldsOf } from '../../src/errors/codes.ts';

export const errorsDocumentFile = join(import.meta.dirname, '..', '..', '..', 'docs', 'errors.md');

const introduction = `# Errors

\`npm run docs:errors\` writes this file from \`src/errors/codes.ts\`; a test fails when they differ.

The body of an answer that failed has \`statusCode\`, \`message\` and \`errors\`. Each element of \`errors\` has a \`code\`, a
\`message\` for people, and the extra fields of its code; those with a question mark may be absent. All errors that one
phase of a request finds are in one body, and the first decides \`statusCode\` and \`message\`. Answers about tokens and
rights, the codes in lower case, also have \`error\` and \`error_description\`, as OAuth 2.0 asks for.

In a GraphQL answer each element of \`errors\` has its \`message\`, \`path\` and \`locations\`, and in \`extensions\` the code and
the extra fields.

An API extension may refuse a request with errors of any code with status 400. Such an element also has
\`errorByExtension\`, with the \`id\` and, where there is one, the \`key\` of the extension, and what the extension says in
\`localizedMessage\` and \`extensionExtraInfo\`.

Some codes belong to resources that this version does not have.

| Code | Status | When | Extra fields |
| --- | --- | --- | --- |
`;

/** The text of docs/errors.md. Its table is not padded, so that one code changes one line. */
export function errorsDocument(): string {
  // The names are the table's own.
  const codes = (Object.keys(errorTable) as ErrorCode[]).toSorted((one, other) => one.localeCompare(other, 'en'));
  return `${introduction}${codes.map(rowOf).join('')}`;
}

function rowOf(code: ErrorCode): string {
  const row: { status: number; otherStatus?: number; when: string } = errorTable[code];
  const status = row.otherStatus === undefined ? row.status : `${row.status} or ${row.otherStatus}`;
  const extra = Object.entries(fieldsOf(code)).map(([name, type]) => `\`${name}\` ${type}`);
  return `| \`${code}\` | ${status} | ${row.when} | ${extra.join(', ')} |\n`;
}
