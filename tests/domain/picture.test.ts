import { expect, test } from 'vitest'
import {
  pictureDrawnSize,
  pictureFileFault,
  pictureFormat,
  pictureSizeFault,
} from '#src/domain/picture.ts'
import { languages, say } from '#src/domain/text.ts'

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(
    parts.flatMap(part =>
      typeof part === 'string' ? [...part].map(one => one.charCodeAt(0)) : part,
    ),
  )
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const chunk = (name: string, length = 0) =>
  bytes(
    [0, 0, 0, length],
    name,
    Array.from({ length: length + 4 }, () => 0),
  )
const png = (...chunks: Uint8Array[]) => bytes(PNG, ...chunks.map(one => [...one]))
const webp = (flags: number) =>
  bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0], [flags, 0, 0, 0])
const words = (of: Uint8Array) => {
  const fault = pictureFileFault(of)
  return fault && languages.map(lang => say(fault[0], lang, fault[1]))
}

test('the kinds that are taken are told by their first bytes', () => {
  const jpeg = bytes([0xff, 0xd8, 0xff, 0xe0])
  const kinds = [jpeg, png(chunk('IHDR', 13)), webp(0x10), bytes('RIFFxxxxWAVE'), bytes('')]
  expect(kinds.map(pictureFormat)).toEqual(['jpeg', 'png', 'webp', undefined, undefined])
  expect([jpeg, webp(0x10)].map(pictureFileFault)).toEqual([undefined, undefined])
})
test('every refusal of a file says its own reason, in both languages', () => {
  const ftyp = (brand: string) => bytes([0, 0, 0, 24], `ftyp${brand}`, [0, 0, 0, 0])
  const told = [
    ...['heic', 'heix', 'mif1'].map(brand => [ftyp(brand), 'HEIC', 'HEIC'] as const),
    [ftyp('avif'), 'AVIF', 'AVIF'] as const,
    [bytes('GIF89a'), '动图', 'animated'] as const,
    [webp(0x02), '动图', 'animated'] as const,
    [png(chunk('IHDR', 13), chunk('acTL', 8), chunk('IDAT')), '动图', 'animated'] as const,
    [bytes('<svg/>'), '只能上传 JPG、PNG 或 WebP', 'JPG, PNG or WebP'] as const,
    [bytes(''), '空的', 'empty'] as const,
    [new Uint8Array(8 * 1024 * 1024 + 1), '不能大于 8 MB', 'at most 8 MB'] as const,
  ]
  for (const [file, zh, en] of told)
    expect(words(file)).toEqual([expect.stringContaining(zh), expect.stringContaining(en)])
  // The words of animation in pixels, and a chunk that leads beyond the end, are none.
  expect(words(png(chunk('IHDR', 13), chunk('IDAT'), chunk('acTL', 8)))).toBeUndefined()
  expect(words(png(bytes([0xff, 0xff, 0xff, 0xff], 'IHDR')))).toBeUndefined()
})
test('a photo of 48 megapixels and a strip beyond all sides are refused with their size', () => {
  const told = (width: number, height: number) => {
    const fault = pictureSizeFault({ width, height })
    return fault && languages.map(lang => say(fault[0], lang, fault[1]))
  }
  expect(told(8064, 6048)).toEqual([
    expect.stringContaining('8064×6048（4878 万像素），最多 4000 万像素'),
    expect.stringContaining('8064×6048 (48.8 megapixels), at most 40'),
  ])
  expect(told(500, 60_000)).toEqual([
    expect.stringContaining('500×60000，一边最多 32000 像素，请切成几张'),
    expect.stringContaining('cut it into several'),
  ])
  expect([told(750, 30_000), told(4000, 3000)]).toEqual([undefined, undefined])
})
test('a strip keeps its width up to 1500, a photo is drawn within 4096, nothing grows', () => {
  const drawn = (width: number, height: number) => {
    const size = pictureDrawnSize({ width, height })
    return [size.width, size.height]
  }
  expect([
    drawn(750, 30_000),
    drawn(30_000, 750),
    drawn(2000, 20_000),
    drawn(5000, 8000),
    drawn(40, 30),
  ]).toEqual([
    [750, 30_000],
    [30_000, 750],
    [1500, 15_000],
    [2560, 4096],
    [40, 30],
  ])
})
