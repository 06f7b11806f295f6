/** Whoever receives a large body, and can be told to go on. */
export interface Receiver {
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
 * waits, and goes on in turn.
 */
export class Intake {
  readonly #bytesPerSecond: number;
  #credit = burstBytes;
  #countedAtMs = performance.now();
  readonly #waiting = new Set<Receiver>();
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
    this.#waiting.add(receiver);
    this.#timer ??= setTimeout(() => this.#letOn(), this.#msUntilRoom());
    return false;
  }

  /** For one that has ended. */
  forget(receiver: Receiver): void {
    this.#waiting.delete(receiver);
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
    let room = Math.max(1, this.#credit);
    for (const receiver of this.#waiting) {
      if (room <= 0) break;
      room -= portionBytes;
      this.#waiting.delete(receiver);
      receiver.goOn();
    }
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => this.#letOn(), this.#msUntilRoom());
  }

  #msUntilRoom(): number {
    return (Math.max(portionBytes, -this.#credit) * 1000) / this.#bytesPerSecond;
  }
}
