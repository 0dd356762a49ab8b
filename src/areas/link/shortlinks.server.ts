import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { say, type Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Core } from '#src/server/call/pipeline.ts'
import { langOf } from '#src/server/call/pipeline.ts'
import { publicPage } from '#src/server/http/publicPage.ts'
import { countVisit, linkOfCode } from './h5Links.server.ts'
import { healthOfOne } from './links.server.ts'
import { filledPath } from './pageLink.ts'

const COOKIE = 'mallet_d'
const YEAR_S = 31_536_000
const over: Readonly<Record<'none' | 'stopped' | 'expired' | 'gone', readonly [Text, Text]>> = {
  none: [
    ['没有找到这个链接', 'This link is not known'],
    [
      '请核对地址，或直接在微信中搜索小程序。',
      'Check the address, or look for the mini-program in WeChat.',
    ],
  ],
  stopped: [
    ['活动已结束', 'This offer has ended'],
    [
      '链接已停止使用，更多优惠请在小程序首页查看。',
      'The link is no longer used; the mini-program’s home has more.',
    ],
  ],
  expired: [
    ['活动已结束', 'This offer has ended'],
    [
      '链接已过期，更多优惠请在小程序首页查看。',
      'The link has expired; the mini-program’s home has more.',
    ],
  ],
  gone: [
    ['内容暂时无法查看', 'Not available just now'],
    [
      '商品或门店已下架，更多优惠请在小程序首页查看。',
      'It is off shelf; the mini-program’s home has more.',
    ],
  ],
}
/** An address as a header can hold it: what is not ASCII is escaped, what is escaped stays. */
const inHeader = (address: string) =>
  address.replace(/[^\x21-\x7e]+/g, part => encodeURIComponent(part.toWellFormed()))
/** Programs that fetch a link to show what is behind it: nobody opened it. */
const MACHINE = /bot|spider|crawl|curl|wget|preview|facebookexternalhit|monitor/i

/**
 * `GET /l/<code>`: sends on whoever opens a short link, and counts a visit once a device and day.
 * One that is over has a page of its own, never an error.
 */
export const shortLinkRoute = (app: FastifyInstance, core: Core): void => {
  app.get<{ Params: { code: string } }>(
    '/l/:code',
    { config: { rateLimit: { max: 300, timeWindow: '1 minute' } } },
    async (request, reply) => {
      const { db } = core.database
      const now = unixNow()
      const lang = langOf(request.headers['accept-language'])
      const { code } = request.params
      reply.header('cache-control', 'no-store').type('text/html; charset=utf-8')
      const told = (why: keyof typeof over) =>
        reply.send(publicPage(lang, say(over[why][0], lang), say(over[why][1], lang)))
      const link = /^[1-9A-Za-z]{4,16}$/.test(code) ? await linkOfCode(db, code, now) : undefined
      if (!link) return told('none')
      if (link.state !== 'on') return told(link.state)
      if ((await healthOfOne(db, link.link, link.params, now)).health !== 'ok') return told('gone')
      let device: string | undefined
      if (!MACHINE.test(request.headers['user-agent'] ?? '')) {
        const known = /(?:^|;\s*)mallet_d=([\w-]{16,40})(?:;|$)/.exec(
          request.headers.cookie ?? '',
        )?.[1]
        device = known ?? randomBytes(18).toString('base64url')
        if (!known)
          reply.header(
            'set-cookie',
            `${COOKIE}=${device}; Path=/l; Max-Age=${YEAR_S}; HttpOnly; SameSite=Lax`,
          )
        await countVisit(db, { h5_link_id: link.id, device, now })
      }
      const path = filledPath(link.link.path, link.link.params, link.params)
      if (link.link.type === 'h5') return reply.redirect(inHeader(path), 302)
      const appid = link.link.type === 'mini_program' ? link.link.appid : core.install.wechat?.appid
      if (!appid)
        return reply.send(
          publicPage(
            lang,
            link.name,
            say(
              [
                '尚未配置微信小程序，无法跳转：{path}',
                'No mini-program is set up, so this leads nowhere: {path}',
              ],
              lang,
              { path },
            ),
          ),
        )
      const [page, own] = path.split('?')
      // The mini-program hands the device back with an order, so that the order is counted for the
      // link.
      const query = [own, device && `h5_device=${device}`].filter(Boolean).join('&')
      // Made anew at every visit: WeChat's own links end after 30 days, ours when it says so.
      const href = `weixin://dl/business/?${new URLSearchParams({ appid, path: page!, ...(query && { query }) })}`
      return reply.send(
        publicPage(
          lang,
          link.name,
          say(['正在打开微信小程序…', 'Opening the mini-program…'], lang),
          {
            href,
            text: say(['打开小程序', 'Open it'], lang),
          },
        ),
      )
    },
  )
}
