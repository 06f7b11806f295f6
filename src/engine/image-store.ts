/** Pictures that clients have uploaded. They are kept and given back; no pixel is looked at. */
export interface ImageStore {
  /** Gives the URL that the image is read at by anybody. */
  keep(project: string, image: NewImage): Promise<string>;
  /** Undefined where there is no image of the name. */
  read(project: string, name: string): Promise<KeptImage | undefined>;
}

export interface NewImage {
  readonly mediaType: ImageType;
  readonly bytes: Uint8Array;
  /** What the client calls it: a text of any kind. */
  readonly title: string | undefined;
}

export interface KeptImage {
  readonly mediaType: ImageType;
  readonly bytes: Uint8Array;
}

export const imageTypes = ['image/jpeg', 'image/png', 'image/gif'] as const;

export type ImageType = (typeof imageTypes)[number];

/** Where the server gives images to anybody. No key of a project is a dash. */
export const imagesPath = '/-/images';
