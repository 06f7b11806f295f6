/**
 * What the C library's allocator is told by the environment, where there is one that listens (glibc): memory of large
 * values is kept for the next ones, `megabytes` of what is free at the end of a heap. By default it comes to 32 MB and 64 by
 * itself, step by step as it meets larger values, and until then gives memory back to the system, of which each page of the
 * next value has to be fetched anew: on a virtual machine, where that takes up to 14 µs, a cart of 1.6 MB cost its process
 * 10 ms and its database 25 ms that way.
 */
export function keepingMemory(megabytes: number): NodeJS.ProcessEnv {
  return {
    // The most that it takes, and comes to by itself. Values that are larger go back at once.
    MALLOC_MMAP_THRESHOLD_: String(32 * 1024 * 1024),
    MALLOC_TRIM_THRESHOLD_: String(megabytes * 1024 * 1024),
  };
}
