import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { yuan } from '#src/domain/money.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { langOf, type Core } from '#src/server/call/pipeline.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { escaped, publicPage } from '#src/server/http/publicPage.ts'
import { isSameSecret } from '#src/server/sessions/sameSecret.ts'
import { pageType, pageTypes, type PageType } from './blocks.ts'
import { forgetPages, livePage, shownBlocks, type ShownBlock } from './livePages.server.ts'
import { keyFrom, type PageKey } from './pageKey.ts'
import { page_scheme } from './scheme.table.ts'
import { keyOfScheme } from './schemes.server.ts'
import { categoriesOf } from './subject.server.ts'

type Sign = (text: string) => string
const signed = (sign: Sign, id: number, until: number): string =>
  sign(`page-preview:${id}:${until}`).replace(/[^\w-]/g, '')
/** The address that shows a draft to whoever has it, and until when. */
export const previewOf = (sign: Sign, id: number, now: number): { path: string; until: number } => {
  const until = now + DAY
  return { path: `/p/preview/${id}.${until}.${signed(sign, id, until)}`, until }
}
const draftOf = (sign: Sign, token: string, now: number): number | undefined => {
  const [, id, until, proof] = /^(\d{1,9})\.(\d{10})\.([\w-]{16,128})$/.exec(token) ?? []
  if (!proof || Number(until) < now) return undefined
  return isSameSecret(proof, signed(sign, Number(id), Number(until))) ? Number(id) : undefined
}

const STYLE = `body{margin:0;background:#f2f4f6;color:#1c2733;font:14px/1.5 -apple-system,"PingFang SC","Microsoft YaHei",sans-serif}main{max-width:420px;margin:0 auto;background:#fff;min-height:100vh}header{padding:14px;text-align:center;font-weight:600}.mark{background:#fff4d6;color:#6b4e00;padding:8px 14px;font-size:12px}section{padding:8px 14px}h2{font-size:16px;margin:4px 0 8px}img{display:block;width:100%;border-radius:8px}.box{border:1px solid #d5dbe1;border-radius:20px;padding:8px 14px;color:#5c6b7a}.words{display:flex;gap:10px;font-size:12px;color:#5c6b7a;padding-top:6px}.row{display:flex;gap:10px;overflow-x:auto}.row>div{flex:0 0 70%}.grid{display:grid;gap:10px;grid-template-columns:repeat(var(--n,2),1fr)}.card{background:#f7f9fa;border-radius:8px;padding:8px;overflow-wrap:anywhere}.card small{color:#5c6b7a;display:block}.card b{color:#b3261e}.brand .card{display:grid;grid-template-columns:56px 1fr;column-gap:10px}.brand .card img{grid-row:span 2}.small>div{flex:0 0 76px}.icons{gap:12px 4px;text-align:center;font-size:12px}.icons .card{position:relative;background:none;padding:0}.icons img{width:44px;margin:0 auto 4px}.icons small{position:absolute;top:-4px;right:0;padding:0 4px;border-radius:8px;background:#b3261e;color:#fff}.note{background:#fff8ec;border-radius:8px;padding:8px 12px}`
const pictureOf = (key: string): string =>
  key === ''
    ? ''
    : `<img src="${escaped(/^(https?:|\/)/.test(key) ? key : `/uploads/${key}`)}" alt="">`
const card = ({ title, note, image, price_cents }: ShownBlock['items'][number]): string =>
  `<div class="card">${pictureOf(image)}${escaped(title)}${note ? `<small>${escaped(note)}</small>` : ''}${price_cents === null ? '' : `<b>¥${yuan(price_cents)}</b>`}</div>`
const blockHtml = ({ kind, props, items }: ShownBlock): string => {
  const words = (name: string) => escaped(String(props[name] ?? ''))
  const heading = props['title'] ? `<h2>${words('title')}</h2>` : ''
  switch (kind) {
    case 'search':
      return `<section><div class="box">${words('hint')}</div><div class="words">${items.map(one => `<span>${escaped(one.title)}</span>`).join('')}</div></section>`
    case 'notice':
      return `<section><div class="note">${words('text')}</div></section>`
    case 'text':
      return `<section><h2>${words('text')}</h2></section>`
    case 'picture':
      return `<section>${pictureOf(String(props['image'] ?? ''))}</section>`
    case 'brand_header':
      return `<section class="brand">${pictureOf(String(props['image'] ?? ''))}${items.map(card).join('')}</section>`
    case 'story':
      return `<section>${heading}<p style="white-space:pre-line">${words('text')}</p></section>`
    case 'gap':
      return `<div style="height:${{ small: 8, medium: 20, large: 40 }[String(props['height'])] ?? 8}px"></div>`
    case 'brand_wall':
    case 'related_brand':
      return `<section>${heading}<div class="row small">${items.map(card).join('')}</div></section>`
    case 'banner':
      return `<section><div class="row">${items.map(card).join('')}</div></section>`
    case 'icons':
      return `<section><div class="grid icons" style="--n:${Number(props['columns'] ?? 5)}">${items.map(card).join('')}</div></section>`
    default:
      return `<section>${heading}<div class="grid" style="--n:${Number(props['columns'] ?? 2)}">${items.map(card).join('')}</div></section>`
  }
}
const html = (title: string, lang: Lang, mark: string, blocks: readonly ShownBlock[]): string =>
  `<!doctype html><html lang="${lang === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escaped(title)}</title><style>${STYLE}</style></head><body><main>${mark ? `<p class="mark" role="status">${escaped(mark)}</p>` : ''}<header>${escaped(title)}</header>${blocks.map(blockHtml).join('')}</main></body></html>`

const none: readonly [Text, Text] = [
  ['没有找到这个页面', 'There is no such page'],
  ['请核对地址。', 'Check the address.'],
]
const over: readonly [Text, Text] = [
  ['预览链接已失效', 'This preview is over'],
  ['预览链接 24 小时内有效，请在装修页重新生成。', 'A preview is open for 24 hours: make another.'],
]
const asPage = (reply: FastifyReply) => reply.type('text/html; charset=utf-8')
const tell = (reply: FastifyReply, lang: Lang, [title, words]: readonly [Text, Text]) =>
  asPage(reply)
    .code(404)
    .send(publicPage(lang, say(title, lang), say(words, lang)))
/** The page that an address names: its type, and a number for each part of its key. */
const pageAt = (type: string, rest: string): { type: PageType; key: PageKey } | undefined => {
  if (!Object.hasOwn(pageTypes, type)) return undefined
  const { of } = pageType(type as PageType)
  const parts = rest.split('/')
  const fits = parts.length === of.length && parts.every(part => /^[1-9]\d{0,8}$/.test(part))
  return fits ? { type: type as PageType, key: keyFrom(of, parts.map(Number)) } : undefined
}
/** No page where there is none; whatever else is wrong is told by the server's own page. */
const orNone = (fault: unknown): undefined => {
  if (fault instanceof Refusal && fault.status === 404) return undefined
  throw fault
}
const limits = { config: { rateLimit: { max: 600, timeWindow: '1 minute' } } }

/**
 * `GET /p/<type>/<city>/…` (`addressOf`) shows what is live to whoever opens it, `GET /p/preview/<token>` a draft. The
 * app reads the same as JSON by the designer’s call `live`.
 */
export const designedPageRoutes = (app: FastifyInstance, core: Core): void => {
  const { db } = core.database
  const stop = forgetPages(db, core.events)
  app.addHook('onClose', async () => stop())
  app.get<{ Params: { token: string } }>('/p/preview/:token', limits, async (request, reply) => {
    const now = unixNow()
    const lang = langOf(request.headers['accept-language'])
    reply.header('cache-control', 'no-store').type('text/html; charset=utf-8')
    const id = draftOf(core.install.sign, request.params.token, now)
    if (id === undefined) return tell(reply, lang, over)
    const [row] = await db.select().from(page_scheme).where(eq(page_scheme.id, id))
    if (!row?.draft) return tell(reply, lang, over)
    const key = keyOfScheme(row)
    const page = { key, categories: await categoriesOf(db, key), now }
    const blocks = await shownBlocks(db, page, row.draft)
    const mark = say(['草稿预览，尚未发布', 'A draft, not published'], lang)
    return reply.send(html(row.name, lang, mark, blocks))
  })
  app.get<{ Params: { type: string; '*': string } }>(
    '/p/:type/*',
    limits,
    async (request, reply) => {
      const lang = langOf(request.headers['accept-language'])
      reply.header('cache-control', 'no-cache')
      const asked = pageAt(request.params.type, request.params['*'])
      if (!asked) return tell(reply, lang, none)
      const page = await livePage(db, asked.type, asked.key, unixNow()).catch(orNone)
      if (!page) return tell(reply, lang, none)
      return asPage(reply).send(html(page.title, lang, '', page.blocks))
    },
  )
}
