import type { FastifyInstance } from 'fastify'
import { unixNow } from '#src/domain/time.ts'
import type { Core } from '#src/server/call/pipeline.ts'
import { faultOf } from '#src/server/db/faults.ts'
import type { PayNotice } from './pay.channel.ts'

/**
 * Hears a verified notice. It may come twice, late, or for a number that nobody here knows; when it
 * throws, the channel is asked to tell again.
 */
export type OnPayNotice = (core: Core, notice: PayNotice, now: number) => Promise<void>

const BODY_MAX = 64 * 1024
/** WeChat tells from a handful of addresses, and tells again for a day what was not taken. */
const PER_MINUTE = 3000

/**
 * `POST /api/notify/wechat/payment` and `/refund`: what WeChat Pay tells by itself. Only what it
 * has signed is heard; 204 says that it was taken, anything else that it is to be told again.
 */
export const payNoticeRoutes = async (
  app: FastifyInstance,
  core: Core,
  hear: OnPayNotice,
): Promise<void> => {
  await app.register(async scope => {
    // The signature is over the body as it came, so nobody parses it before.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_MAX }, (_, body, done) =>
      done(null, body),
    )
    for (const kind of ['payment', 'refund'] as const) {
      scope.post(
        `/api/notify/wechat/${kind}`,
        { bodyLimit: BODY_MAX, config: { rateLimit: { max: PER_MINUTE, timeWindow: '1 minute' } } },
        async (request, reply) => {
          const no = (status: number, message: string) =>
            reply.code(status).send({ code: 'FAIL', message })
          const now = unixNow()
          const headers = Object.fromEntries(
            Object.entries(request.headers).map(([name, value]) => [
              name,
              typeof value === 'string' ? value : undefined,
            ]),
          )
          const notice = core.install.pay.notice({
            headers,
            body: typeof request.body === 'string' ? request.body : '',
            now,
          })
          if (notice?.kind !== kind) {
            core.log.warn(
              { request_id: request.id },
              'a payment notice was refused: not signed by the channel, too old, or not of this kind',
            )
            return no(401, '签名验证失败')
          }
          try {
            await hear(core, notice, now)
          } catch (error) {
            core.log.error({ err: error, request_id: request.id }, 'a payment notice was not taken')
            return faultOf(error)?.kind === 'unavailable'
              ? no(503, '系统繁忙，请稍后重试')
              : no(500, '处理失败')
          }
          return reply.code(204).send()
        },
      )
    }
  })
}
