/** A request that the contract refuses; `code` is the contract's. */
export class ModelError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export function refuse(code: string): never {
  throw new ModelError(code);
}

export function refuseIf(isRefused: boolean, code: string): void {
  if (isRefused) refuse(code);
}
