import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TransferNotice } from '#src/areas/payout/transfer.channel.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Core } from '#src/server/call/pipeline.ts'
import { faultOf } from '#src/server/db/faults.ts'
import type { PayNotice } from './pay.channel.ts'

/**
 * Hears a verified notice. It may come twice, late, or for a number that nobody here knows; when it
 * throws, the channel is asked to tell again.
 */
export type OnPayNotice = (core: Core, notice: PayNotice, now: number) => Promise<void>
/** The same of a transfer. */
type OnTransferNotice = (notice: TransferNotice, now: number) => Promise<void>

const BODY_MAX = 64 * 1024
/** WeChat tells from a handful of addresses, and tells again for a day what was not taken. */
const PER_MINUTE = 3000

type Told = { headers: Readonly<Record<string, string | undefined>>; body: string; now: number }
/** Takes what came in; false where it is not the channel's, too old, or of another kind. */
type Take = (told: Told) => Promise<boolean>

/**
 * `POST /api/notify/wechat/payment`, `/refund` and `/transfer`: what WeChat Pay tells by itself. Only
 * what it has signed is heard; 204 says that it was taken, anything else that it is to be told again.
 */
export const payNoticeRoutes = async (
  app: FastifyInstance,
  core: Core,
  { hear, hearTransfer }: { hear: OnPayNotice; hearTransfer: OnTransferNotice },
): Promise<void> => {
  const ofPay =
    (kind: PayNotice['kind']): Take =>
    async told => {
      const notice = core.install.pay.notice(told)
      if (notice?.kind !== kind) return false
      await hear(core, notice, told.now)
      return true
    }
  const takes: Readonly<Record<string, Take>> = {
    payment: ofPay('payment'),
    refund: ofPay('refund'),
    transfer: async told => {
      const notice = core.install.transfer.notice(told)
      if (!notice) return false
      await hearTransfer(notice, told.now)
      return true
    },
  }
  await app.register(async scope => {
    // The signature is over the body as it came, so nobody parses it before.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_MAX }, (_, body, done) =>
      done(null, body),
    )
    for (const [kind, take] of Object.entries(takes))
      scope.post(
        `/api/notify/wechat/${kind}`,
        { bodyLimit: BODY_MAX, config: { rateLimit: { max: PER_MINUTE, timeWindow: '1 minute' } } },
        answering(core, take),
      )
  })
}
const answering =
  ({ log }: Core, take: Take) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const no = (status: number, message: string) =>
      reply.code(status).send({ code: 'FAIL', message })
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : undefined,
      ]),
    )
    const body = typeof request.body === 'string' ? request.body : ''
    try {
      if (await take({ headers, body, now: unixNow() })) return await reply.code(204).send()
      log.warn(
        { request_id: request.id },
        'a payment notice was refused: not signed by the channel, too old, or not of this kind',
      )
      return await no(401, '签名验证失败')
    } catch (error) {
      log.error({ err: error, request_id: request.id }, 'a payment notice was not taken')
      return faultOf(error)?.kind === 'unavailable'
        ? no(503, '系统繁忙，请稍后重试')
        : no(500, '处理失败')
    }
  }
