/** Whoever receives a large body, and can be told to go on. */
export interface Receiver {
  /** Whose body it is; empty where nobody knows. */
  readonly owner: string;
  readonly receivedBytes: number;
  goOn(): void;
}

/** What may come at once after a pause. */
const burstBytes = 4 * 1024 * 1024;
/** What comes when a receiver goes on: the native server's buffer, or several that follow at once. */
const portionBytes = 512 * 1024;
/** What may have come in advance. Those who wait go on at the latest when it would be paid off. */
const debtBytesMax = 16 * 1024 * 1024;
/** The part of each body that counts for nothing, so that small ones never wait. */
const freeBytes = 256 * 1024;

/**
 * Lets large bodies in at a bounded rate. To receive one takes the event loop and the memory that small requests need, and
 * what comes after takes more; clients send faster than that by far. Whoever has received more than there was room for
 * waits, and goes on in turn: owners take turns, and of an owner's bodies the one of which least has come goes on, so that
 * small ones do not wait for large ones.
 */
export class Intake {
  readonly #bytesPerSecond: number;
  #credit = burstBytes;
  #countedAtMs = performance.now();
  /** By owner, the one whose turn is next first. */
  readonly #waiting = new Map<string, Set<Receiver>>();
  #timer: NodeJS.Timeout | undefined;

  /** `bytesPerSecond` of all bodies together. */
  constructor(bytesPerSecond: number) {
    this.#bytesPerSecond = bytesPerSecond;
  }

  /** Counts bytes of a body of which so many have come. Where it is false, the receiver pauses until it is told to go on. */
  admits(receiver: Receiver, bytes: number, receivedBytes: number): boolean {
    const counted = Math.min(bytes, receivedBytes - freeBytes);
    if (counted <= 0) return true;
    this.#refill();
    // Newcomers are not told to wait before something has come. However many there are, those who wait go on.
    this.#credit = Math.max(-debtBytesMax, this.#credit - counted);
    if (this.#credit > 0) return true;
    const own = this.#waiting.get(receiver.owner);
    if (own === undefined) this.#waiting.set(receiver.owner, new Set([receiver]));
    else own.add(receiver);
    this.#timer ??= setTimeout(() => this.#letOn(), this.#msUntilRoom());
    return false;
  }

  /** For one that has ended. */
  forget(receiver: Receiver): void {
    const own = this.#waiting.get(receiver.owner);
    if (own?.delete(receiver) === true && own.size === 0) this.#waiting.delete(receiver.owner);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #refill(): void {
    const nowMs = performance.now();
    const earned = ((nowMs - this.#countedAtMs) * this.#bytesPerSecond) / 1000;
    this.#credit = Math.min(burstBytes, this.#credit + earned);
    this.#countedAtMs = nowMs;
  }

  /** As many as there is room for, and one in any case; what each receives is counted when it has come. */
  #letOn(): void {
    this.#timer = undefined;
    this.#refill();
    for (let room = Math.max(1, this.#credit); room > 0 && this.#waiting.size > 0; room -= portionBytes)
      this.#next().goOn();
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => this.#letOn(), this.#msUntilRoom());
  }

  /** Takes the one whose turn it is out of those who wait. */
  #next(): Receiver {
    const [first] = this.#waiting;
    const [owner, own] = first!;
    const next = [...own].reduce((least, other) => (other.receivedBytes < least.receivedBytes ? other : least));
    own.delete(next);
    // Behind the other owners.
    this.#waiting.delete(owner);
    if (own.size > 0) this.#waiting.set(owner, own);
    return next;
  }

  #msUntilRoom(): number {
    return (Math.max(portionBytes, -this.#credit) * 1000) / this.#bytesPerSecond;
  }
}
