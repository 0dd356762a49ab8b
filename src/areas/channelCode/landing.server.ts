import type { FastifyInstance } from 'fastify'
import { scanJoin, type JoinScanned } from '#src/areas/wecom/joinDesk.server.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { langOf, type Core } from '#src/server/call/pipeline.ts'
import { publicPage } from '#src/server/http/publicPage.ts'
import { scanPath } from './channelCode.ts'
import { scanCode, type Scanned } from './scans.server.ts'

/** Programs that fetch a link to show what is behind it: nobody scanned it. */
const MACHINE = /bot|spider|crawl|curl|wget|preview|facebookexternalhit|monitor/i
const closed: Readonly<Record<Exclude<Scanned['state'], 'open'>, readonly [Text, Text]>> = {
  none: [
    ['没有找到这个二维码', 'This code is not known'],
    ['请联系商场服务台。', 'Please ask at the service desk of the mall.'],
  ],
  early: [
    ['还没有开始', 'Not open yet'],
    ['请稍后再扫码添加。', 'Please scan it again later.'],
  ],
  paused: [
    ['暂停添加', 'Paused'],
    ['请稍后再扫码，或前往商场服务台。', 'Scan it later, or ask at the service desk.'],
  ],
  over: [
    ['二维码已失效', 'This code is no longer used'],
    ['请前往商场服务台获取新的二维码。', 'The service desk has a new one.'],
  ],
  nobody: [
    ['顾问暂时不在线', 'Nobody is on duty'],
    ['请在营业时间再扫码添加。', 'Please scan it again during opening hours.'],
  ],
}
const closedJoin: Readonly<Record<Exclude<JoinScanned['state'], 'open'>, readonly [Text, Text]>> = {
  none: closed.none,
  over: closed.over,
  paused: [
    ['暂停入群', 'Paused'],
    ['请稍后再扫码，或前往商场服务台。', 'Scan it later, or ask at the service desk.'],
  ],
  early: [
    ['群二维码正在生成', 'Not ready yet'],
    ['请稍后再扫码入群。', 'Please scan it again in a while.'],
  ],
  full: [
    ['群已满', 'The chats are full'],
    ['请稍后再扫码，或前往商场服务台。', 'Scan it later, or ask at the service desk.'],
  ],
}
/** What whoever scanned a join code is shown: the chat, or why not, and whom to add instead. */
const joinPage = (lang: Lang, { state, name, qr_url, instead }: JoinScanned): string => {
  if (state === 'open')
    return publicPage(lang, name, say(['正在打开群聊…', 'Opening the chat…'], lang), {
      href: qr_url,
      text: say(['加入群聊', 'Join the chat'], lang),
    })
  const [title, words] = closedJoin[state]
  if (!instead) return publicPage(lang, say(title, lang), say(words, lang))
  const ask: Text = ['添加顾问，由顾问邀请您入群。', 'Add an adviser, who will invite you.']
  return publicPage(lang, say(title, lang), say(ask, lang), {
    href: scanPath(instead.state_key),
    text: say(['添加顾问', 'Add the adviser'], lang),
  })
}
/**
 * `GET /q/<state>`: a printed code. Counts the scan, and leads to WeCom's code of whoever is on
 * duty, or into the chat of a join code; one that is full, paused or over says so, and is never an
 * error.
 */
export const scanRoute = (app: FastifyInstance, core: Core): void => {
  app.get<{ Params: { state: string } }>(
    '/q/:state',
    { config: { rateLimit: { max: 300, timeWindow: '1 minute' } } },
    async (request, reply) => {
      const lang = langOf(request.headers['accept-language'])
      const { state } = request.params
      reply.header('cache-control', 'no-store').type('text/html; charset=utf-8')
      const isKey = /^[\w-]{1,30}$/.test(state)
      const join = isKey ? await scanJoin(core.database.db, state, unixNow()) : undefined
      if (join && join.state !== 'none') return reply.send(joinPage(lang, join))
      const found: Scanned = isKey
        ? await scanCode(core.database.db, {
            state_key: state,
            now: unixNow(),
            isCounted: !MACHINE.test(request.headers['user-agent'] ?? ''),
          })
        : { state: 'none', name: '', qr_url: '' }
      if (found.state !== 'open') {
        const [title, words] = closed[found.state]
        return reply.send(publicPage(lang, say(title, lang), say(words, lang)))
      }
      return reply.send(
        publicPage(
          lang,
          found.name,
          say(['正在打开企业微信名片…', 'Opening the contact card…'], lang),
          { href: found.qr_url, text: say(['添加顾问', 'Add the adviser'], lang) },
        ),
      )
    },
  )
}
