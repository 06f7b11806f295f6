import { LRUCache } from 'lru-cache';
import type { Document } from '../engine/document.ts';
import { documentOf, type Json } from '../engine/json.ts';

/** Characters of all texts whose documents are kept; a document takes several times the memory of its text. */
const lengthMax = 8_000_000;

const documents = new LRUCache<string, object>({
  maxSize: lengthMax,
  sizeCalculation: (_, text) => Math.max(1, text.length),
});

/**
 * The document that is represented. It is shared between requests, so nobody may change it. Parsing, and collecting
 * what was parsed, was a third of the work of a query for twenty shipping methods of 3.5 kB.
 */
export function parsedDocument<D extends object = Document>(json: Json): D {
  const text = String(json);
  const known = documents.get(text);
  // The same text is asked for as the same.
  if (known !== undefined) return known as D;
  const document = documentOf<D>(text);
  documents.set(text, document);
  return document;
}
