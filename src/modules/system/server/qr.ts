import QRCode from 'qrcode'
import {
  askWeChat,
  tokenOf,
  wechatFailed,
  type WeChat,
} from '#src/areas/broadcast/wechat.server.ts'
import { say, type Lang } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'

type Picture = { image: string; real: boolean; caption: string }
/** A QR of the text as a PNG data address. */
export const qrImg = async (text: string, size: number): Promise<Picture> => ({
  image: await QRCode.toDataURL(text, { width: size, margin: 2, errorCorrectionLevel: 'M' }),
  real: true,
  caption: text,
})

/**
 * WeChat's code for a page, or, where WeChat is not set up, a QR of the same target that says so.
 */
export const mpImg = async (
  { db, now, lang }: { db: Db; now: number; lang: Lang },
  { path, scene, width }: { path: string; scene: string; width: number },
  of: WeChat | null,
): Promise<Picture> => {
  const target = `${path}${scene ? `${path.includes('?') ? '&' : '?'}scene=${encodeURIComponent(scene)}` : ''}`
  if (!of)
    return {
      image: await QRCode.toDataURL(target, {
        width,
        margin: 2,
        errorCorrectionLevel: 'M',
        color: { dark: '#5c6b7a', light: '#ffffff' },
      }),
      real: false,
      caption: say(
        [
          '占位二维码，未配置微信，不能在微信中打开：{target}',
          'A stand-in: WeChat is not set up, so it opens nothing there: {target}',
        ],
        lang,
        { target },
      ),
    }
  const page = path.split('?')[0]!.replace(/^\//, '')
  // WeChat takes no query in `page`: what a page needs travels in `scene`, of at most 32
  // characters.
  const carried = (scene || (path.split('?')[1] ?? '')).slice(0, 33)
  if (carried.length > 32)
    throw ruled('scene_too_long', [
      '参数超过微信允许的 32 个字符',
      'The parameters are longer than the 32 characters WeChat allows',
    ])
  const draw = async (token: string) => {
    const answered = await askWeChat(
      `${of.api}/wxa/getwxacodeunlimit?${new URLSearchParams({ access_token: token })}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ scene: carried || 'a=1', page, width, check_path: false }),
      },
    )
    // An error comes with HTTP 200 and says so by its kind only.
    const kind = answered.headers.get('content-type') ?? ''
    if (answered.ok && kind.startsWith('image/'))
      return { kind: kind.split(';')[0]!, bytes: Buffer.from(await answered.arrayBuffer()) }
    return (
      ((await answered.json().catch(() => ({}))) as { errcode?: number }).errcode ?? answered.status
    )
  }
  const token = await tokenOf(db, of, now)
  let drawn = await draw(token)
  // A token that another system renewed is dead at once: once more with a new one.
  if (drawn === 40001 || drawn === 42001) drawn = await draw(await tokenOf(db, of, now, token))
  if (typeof drawn === 'number') throw wechatFailed(`errcode ${drawn}`)
  return {
    image: `data:${drawn.kind};base64,${drawn.bytes.toString('base64')}`,
    real: true,
    caption: target,
  }
}
