import { LRUCache } from 'lru-cache';
import { countedUpTo } from '../engine/coherence.ts';
import { hashOf } from '../engine/secrets.ts';
import { apiError } from '../errors/api-error.ts';

/** Names that are counted at a time; the one that was quiet for the longest is forgotten first. */
const namesMax = 100_000;
const minuteMs = 60_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Counts requests by name, in this process. */
export interface RateLimit {
  /** Throws TooManyRequests when the name has used up what it gets in a minute. */
  pass(name: string): void;
  /** One that passed does not count after all. */
  giveBack(name: string): void;
}

/** Each name may send `perMinute` requests at once, and as many in every minute after. 0 sets no limit. */
export function createRateLimit(perMinute: number, nowMs: () => number = () => performance.now()): RateLimit {
  const buckets = new LRUCache<string, Bucket>(countedUpTo(namesMax));
  return {
    pass: (name) => {
      if (perMinute === 0) return;
      const now = nowMs();
      const kept = keptName(name);
      const bucket = buckets.get(kept) ?? { tokens: perMinute, atMs: now };
      bucket.tokens = Math.min(perMinute, bucket.tokens + ((now - bucket.atMs) / minuteMs) * perMinute);
      bucket.atMs = now;
      if (bucket.tokens < 1) throw apiError('TooManyRequests', 'Too many token requests or sign-ins. Try again later.');
      bucket.tokens -= 1;
      buckets.set(kept, bucket);
    },
    giveBack: (name) => {
      const bucket = buckets.get(keptName(name));
      if (bucket !== undefined) bucket.tokens = Math.min(perMinute, bucket.tokens + 1);
    },
  };
}

/** Names come from clients, who may send any; what is kept of one has one size. */
function keptName(name: string): string {
  return hashOf(name).toString('latin1');
}
