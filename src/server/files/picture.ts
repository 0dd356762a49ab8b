/** 40 megapixels: a small file may unpack to gigabytes. */
const PIXELS_MAX = 40_000_000
/** Sharp's own clock: a thread that is ended can't take back what libvips has begun. */
const SECONDS = 5

export type Picture = {
  format: 'jpeg' | 'png' | 'webp'
  data: Uint8Array
  width: number
  height: number
  sharpness_x100: number
}

/** What the first bytes say a picture is; a name or a header may say anything. */
const formatOf = (bytes: Buffer): Picture['format'] | undefined => {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpeg'
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])))
    return 'png'
  const word = (from: number) => bytes.toString('latin1', from, from + 4)
  return word(0) === 'RIFF' && word(8) === 'WEBP' ? 'webp' : undefined
}

/**
 * The picture drawn anew, turned as its camera says and without anything else that the file held;
 * undefined for what is no whole picture.
 */
export const redrawn = async (bytes: Buffer): Promise<Picture | undefined> => {
  const format = formatOf(bytes)
  if (!format) return undefined
  const sharp = (await import('sharp')).default
  try {
    const { data, info } = await sharp(bytes, {
      limitInputPixels: PIXELS_MAX,
      failOn: 'error',
      sequentialRead: true,
    })
      .timeout({ seconds: SECONDS })
      .rotate()
      .resize({ width: 4096, height: 4096, fit: 'inside', withoutEnlargement: true })
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
    return undefined
  }
}
