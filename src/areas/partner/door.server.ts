import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unixNow } from '#src/domain/time.ts'
import { refusalOf } from '#src/server/call/faultRefusals.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Core } from '#src/server/call/pipeline.ts'
import { invalid, Refusal } from '#src/server/call/refuse.ts'
import { partnerOf, type Kind, type Partner } from './auth.server.ts'
import type { Keyed } from './keys.server.ts'
import { answerSignature } from './signing.server.ts'

const BODY_MAX = 64 * 1024
/** From one address, whoever it says it is; a partner's own bound is counted by its key. */
const PER_MINUTE = 1200

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
export type Asked<Row extends Keyed> = Partner<Row> & { now: number; ip: string }
/** The call as it came: its path's parts, its query and its body. */
export type Sent = {
  param: (name: string) => string
  query: Readonly<Record<string, unknown>>
  json: () => unknown
}
const sentBy = (request: FastifyRequest): Sent => ({
  param: name => String((request.params as Record<string, string>)[name] ?? ''),
  query: request.query as Record<string, unknown>,
  json: () => jsonOf(bodyOf(request)),
})
type Work<Row extends Keyed> = (asked: Asked<Row>, sent: Sent) => Promise<object>
type Writing<Row extends Keyed> = (tx: Db, ...of: Parameters<Work<Row>>) => Promise<object>

/** Hears who is signed for, and answers each in the same form. */
const hearing =
  <Row extends Keyed>(core: Core, kind: Kind<Row>) =>
  (work: Work<Row>) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const now = unixNow()
    const { ip } = request
    let partner: Partner<Row> | undefined
    const answer = (status: number, said: object) => {
      const text = JSON.stringify(said)
      if (partner)
        reply.header('x-mallet-signature', answerSignature(partner.secret, partner.nonce, text))
      if (status === 503) reply.header('retry-after', '3')
      return reply.code(status).type('application/json; charset=utf-8').send(text)
    }
    try {
      const call = { method: request.method, path: request.url, body: bodyOf(request) }
      partner = await partnerOf(core, kind, { ...call, headers: request.headers, ip, now })
      return answer(200, {
        code: 'ok',
        data: await work({ ...partner, now, ip }, sentBy(request)),
      })
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal)
        core.log.error({ err: error, request_id: request.id }, 'a call of a partner failed')
      const { status } = refusal ?? faulty()
      return answer(status, told(refusal ?? faulty()))
    }
  }
/** Writes in one transaction; a refusal that is answered, not thrown, keeps what was written of it. */
const writing =
  <Row extends Keyed>(core: Core, touches: readonly string[]) =>
  (work: Writing<Row>): Work<Row> => {
    const message = { tags: [...touches] }
    return async (asked, sent) => {
      const done = await core.database.transaction(async tx => {
        const answered = await work(tx, asked, sent)
        await core.events.announce(tx, message)
        return answered
      })
      core.events.emit(message)
      if (done instanceof Refusal) throw done
      return done
    }
  }
type Door<Row extends Keyed> = {
  get: (path: string, work: Work<Row>) => void
  post: (path: string, work: Writing<Row>) => void
}

/**
 * `/api/partner/v1/…`: what partners of a kind call (docs/partner-api.md). Every answer is JSON with
 * a code and, where it refuses, a message in Chinese and English; what is posted writes.
 */
export const partnerDoor = async <Row extends Keyed>(
  app: FastifyInstance,
  core: Core,
  { touches, ...kind }: Kind<Row> & { touches: readonly string[] },
  routes: (door: Door<Row>) => void,
): Promise<void> => {
  const heard = hearing(core, kind)
  const written = writing<Row>(core, touches)
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
    routes({
      get: (path, work) => scope.get(`/api/partner/v1${path}`, of, heard(work)),
      post: (path, work) => scope.post(`/api/partner/v1${path}`, of, heard(written(work))),
    })
  })
}
