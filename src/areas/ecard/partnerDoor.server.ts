import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unixNow } from '#src/domain/time.ts'
import { refusalOf } from '#src/server/call/faultRefusals.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Core } from '#src/server/call/pipeline.ts'
import { invalid, Refusal } from '#src/server/call/refuse.ts'
import { answerSignature } from './partner.server.ts'
import { partnerOf, type Partner } from './partnerAuth.server.ts'
import { balance, giveBack, issue, offered, query, statement } from './partnerCalls.server.ts'

const BODY_MAX = 64 * 1024
/** From one address, whoever it says it is; a partner's own bound is counted by its key. */
const PER_MINUTE = 1200
const TOUCHES = ['ecard_channel', 'ecard_ledger', 'ecard_code', 'ecard', 'order', 'refund']

/** A refusal as partners get it: its code, and what is wrong in both languages. */
const told = (refusal: Refusal) => ({
  code: String(refusal.data['rule'] ?? codes[refusal.status] ?? 'refused'),
  message: { zh: refusal.in('zh'), en: refusal.in('en') },
  ...(refusal.data['fields'] !== undefined && {
    fields: { zh: refusal.dataIn('zh')['fields'], en: refusal.dataIn('en')['fields'] },
  }),
})
const codes: Readonly<Record<number, string>> = { 400: 'bad_input', 404: 'not_found' }
/** A fault of ours is logged, and told as one that may be tried again. */
const faulty = () =>
  new Refusal(
    503,
    ['系统繁忙，请稍后以同一单号重试', 'We are busy: try again shortly, with the same number'],
    {},
    { rule: 'busy' },
  )
const early = (status: number): Refusal => {
  if (status === 413)
    return new Refusal(
      413,
      ['请求正文超过 64 KB', 'The body is larger than 64 KB'],
      {},
      { rule: 'too_large' },
    )
  if (status === 429)
    return new Refusal(
      429,
      ['请求过于频繁，请稍后重试', 'Too many calls: try again shortly'],
      {},
      { rule: 'too_many' },
    )
  return status >= 400 && status < 500
    ? new Refusal(status, ['请求无法识别', 'The request can’t be read'], {}, { rule: 'bad_input' })
    : faulty()
}
const bodyOf = (request: FastifyRequest): string =>
  typeof request.body === 'string' ? request.body : ''
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid({ body: ['请求正文不是 JSON', 'The body is no JSON'] })
  }
}
type Asked = Partner & { now: number }
type Work = (asked: Asked, request: FastifyRequest) => Promise<object>

/** The door of a partner API: it hears who is signed for, and answers each in the same form. */
const door = (core: Core) => {
  const heard = (work: Work) => async (request: FastifyRequest, reply: FastifyReply) => {
    const now = unixNow()
    let partner: Partner | undefined
    const answer = (status: number, said: object) => {
      const text = JSON.stringify(said)
      if (partner)
        reply.header('x-mallet-signature', answerSignature(partner.secret, partner.nonce, text))
      if (status === 503) reply.header('retry-after', '3')
      return reply.code(status).type('application/json; charset=utf-8').send(text)
    }
    try {
      const call = { method: request.method, path: request.url, body: bodyOf(request) }
      partner = await partnerOf(core, { ...call, headers: request.headers, ip: request.ip, now })
      return answer(200, { code: 'ok', data: await work({ ...partner, now }, request) })
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal)
        core.log.error({ err: error, request_id: request.id }, 'a call of a partner failed')
      const { status } = refusal ?? faulty()
      return answer(status, told(refusal ?? faulty()))
    }
  }
  const writing = (work: (tx: Db, ...of: Parameters<Work>) => Promise<object>): Work => {
    const message = { tags: TOUCHES }
    return async (asked, request) => {
      const done = await core.database.transaction(async tx => {
        const answered = await work(tx, asked, request)
        await core.events.announce(tx, message)
        return answered
      })
      core.events.emit(message)
      return done
    }
  }
  return { heard, writing }
}
const param = (request: FastifyRequest, name: string): string =>
  String((request.params as Record<string, string>)[name] ?? '')
const afterOf = ({ query: sent }: FastifyRequest): number => {
  const { after = '0' } = sent as Record<string, unknown>
  if (typeof after !== 'string' || !/^\d{1,9}$/.test(after))
    throw invalid({ after: ['after 须为上一页的 next', 'It is the next of the page before'] })
  return Number(after)
}

/**
 * `/api/partner/v1/…`: what partners whose channel is of the kind API call (docs/partner-api.md).
 * Every answer is JSON with a code and, where it refuses, a message in Chinese and English.
 */
export const partnerRoutes = async (app: FastifyInstance, core: Core): Promise<void> => {
  const { db } = core.database
  const { heard, writing } = door(core)
  await app.register(async scope => {
    // The signature is over the body as it came, so nobody parses it before.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_MAX }, (_, body, done) =>
      done(null, body),
    )
    // What never reaches a call, such as a body that is too large, is told in the same form.
    scope.setErrorHandler((error: FastifyError, _, reply) => {
      const refusal = early(error.statusCode ?? 503)
      return reply.code(refusal.status).send(told(refusal))
    })
    const of = {
      bodyLimit: BODY_MAX,
      config: { rateLimit: { max: PER_MINUTE, timeWindow: '1 minute' } },
    }
    scope.get(
      '/api/partner/v1/cards',
      of,
      heard(asked => offered(db, asked)),
    )
    scope.get(
      '/api/partner/v1/balance',
      of,
      heard(asked => balance(db, asked)),
    )
    scope.post(
      '/api/partner/v1/orders',
      of,
      heard(writing((tx, asked, request) => issue(tx, asked, jsonOf(bodyOf(request))))),
    )
    scope.get(
      '/api/partner/v1/orders/:out_no',
      of,
      heard((asked, request) => query(db, asked, param(request, 'out_no'))),
    )
    scope.post(
      '/api/partner/v1/orders/:out_no/returns',
      of,
      heard(
        writing((tx, asked, request) =>
          giveBack(tx, asked, {
            out_no: param(request, 'out_no'),
            body: jsonOf(bodyOf(request)),
          }),
        ),
      ),
    )
    scope.get(
      '/api/partner/v1/statements/:month',
      of,
      heard((asked, request) => statement(db, asked, param(request, 'month'), afterOf(request))),
    )
  })
}
