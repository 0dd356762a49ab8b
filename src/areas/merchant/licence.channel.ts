import { z } from 'zod'
import type { Text } from '#src/domain/text.ts'
import { readText } from '#src/server/files/reading.ts'
import { askService } from '#src/server/http/askService.ts'

/** The lines that a picture holds, from above; or why it was not read, in words. */
type LicenceAnswer = { ok: true; lines: string[] } | { ok: false; text: Text }
/** Where pictures of licences are read. Never throws for what is answered or not. */
export type LicenceChannel = {
  name: 'http' | 'embedded' | 'none'
  /** `png` is upright, grey and 1600 pixels long (src/server/files/picture.ts). */
  read: (png: Uint8Array<ArrayBuffer>) => Promise<LicenceAnswer>
}

const no = ([zh, en]: Text): LicenceAnswer => ({
  ok: false,
  text: [
    `识别失败：${zh}。请稍后重试，或对照照片填写`,
    `Not read: ${en}. Try again later, or fill it in by the picture`,
  ],
})
/** The reader of this server: nothing leaves it. */
export const embeddedLicence: LicenceChannel = {
  name: 'embedded',
  read: async png => {
    const read = await readText(png)
    return 'fault' in read ? no(read.fault) : { ok: true, lines: read.lines }
  },
}
/** Where reading is switched off, that is said. */
export const noLicence: LicenceChannel = {
  name: 'none',
  read: async () => ({
    ok: false,
    text: [
      '未启用执照识别（MALLET_LICENCE），请对照照片填写',
      'Licences are not read here (MALLET_LICENCE): fill it in by the picture',
    ],
  }),
}

const TIMEOUT_MS = 15_000
const ANSWER_MAX = 256 * 1024
const said = z.object({ lines: z.array(z.string().max(2000)).max(500) })

/** A service over HTTP: POST of a PNG, answered by `{ lines: ["统一社会信用代码 …", …] }`. */
export const httpLicence = (
  url: string,
  { timeout_ms = TIMEOUT_MS }: { timeout_ms?: number } = {},
): LicenceChannel => ({
  name: 'http',
  read: async png => {
    const answered = await askService(url, {
      headers: { 'content-type': 'image/png' },
      body: png,
      shape: said,
      most: ANSWER_MAX,
      timeout_ms,
    })
    return 'fault' in answered ? no(answered.fault) : { ok: true, lines: answered.said.lines }
  },
})
