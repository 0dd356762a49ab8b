import {
  PICTURE_MAX_PIXELS,
  pictureDamaged,
  pictureDrawnSize,
  pictureFileFault,
  pictureFormat,
  pictureSizeFault,
  type PictureFault,
  type PictureFormat,
} from '#src/domain/picture.ts'

/** Sharp's own clock: a thread that is ended can't take back what libvips has begun. */
const SECONDS = 5

export type Picture = {
  format: PictureFormat
  data: Uint8Array
  width: number
  height: number
  sharpness_x100: number
}

/**
 * The picture drawn anew, turned as its camera says and without anything else that the file held;
 * or why it is not taken.
 */
export const redrawn = async (bytes: Buffer): Promise<Picture | { fault: PictureFault }> => {
  const fault = pictureFileFault(bytes)
  if (fault) return { fault }
  const format = pictureFormat(bytes)!
  const sharp = (await import('sharp')).default
  try {
    const { autoOrient } = await sharp(bytes, { limitInputPixels: false }).metadata()
    const wrong = pictureSizeFault(autoOrient)
    if (wrong) return { fault: wrong }
    const { data, info } = await sharp(bytes, {
      limitInputPixels: PICTURE_MAX_PIXELS,
      failOn: 'error',
      sequentialRead: true,
    })
      .timeout({ seconds: SECONDS })
      .rotate()
      .resize({ ...pictureDrawnSize(autoOrient), fit: 'inside', withoutEnlargement: true })
      [format]()
      .toBuffer({ resolveWithObject: true })
    const { sharpness } = await sharp(data).stats()
    return {
      format,
      data,
      width: info.width,
      height: info.height,
      sharpness_x100: Math.round(sharpness * 100),
    }
  } catch {
    // Sharp's words speak of the file's inside; to the person it is no picture we can read.
    return { fault: pictureDamaged }
  }
}

/** A picture is read at this size of its longer side: letters are large enough, and it takes seconds. */
const READ_SIDE = 1600
/** The picture as it is read: upright and grey, as a PNG; or why it is not taken. */
export const scanned = async (
  bytes: Buffer,
): Promise<{ data: Uint8Array<ArrayBuffer> } | { fault: PictureFault }> => {
  const drawn = await redrawn(bytes)
  if ('fault' in drawn) return drawn
  const sharp = (await import('sharp')).default
  const png = await sharp(drawn.data)
    .timeout({ seconds: SECONDS })
    .resize({ width: READ_SIDE, height: READ_SIDE, fit: 'inside' })
    .flatten({ background: '#ffffff' })
    .greyscale()
    .toColourspace('b-w')
    .png({ compressionLevel: 3 })
    .toBuffer()
  return { data: new Uint8Array(png) }
}
