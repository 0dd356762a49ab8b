import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Envelope } from '#src/contract/envelope.ts'
import { say, type Text } from '#src/domain/text.ts'
import { envelopeOf, langOf } from '#src/server/call/pipeline.ts'
import { publicPage, wantsPage } from './publicPage.ts'

/** The most that a request may carry, in bytes, where its route says nothing else. */
export const BODY_MAX = 1024 * 1024
/** Words of what is refused before a call is reached, by status. */
const faults: Record<string, Text> = {
  413: ['提交的内容过大，最多 {n} MB', 'Too large: at most {n} MB'],
  415: ['请以 JSON 提交', 'Send JSON'],
  429: ['操作过于频繁，请稍后重试', 'Too many requests, try again shortly'],
  404: ['没有这个接口', 'There is no such call'],
  403: ['须出示运维令牌（MALLET_OPERATOR_TOKEN）', 'Needs the token MALLET_OPERATOR_TOKEN'],
  400: ['请求无法识别', 'The request can not be read'],
}

const noPage: Text = ['无法打开这个页面', 'This page can not be opened']
/** The words of an envelope as a page of ours where a browser opens the address, else as it is. */
export const send = (request: FastifyRequest, reply: FastifyReply, envelope: Envelope) => {
  if (!wantsPage(request)) return reply.send(envelope)
  const lang = langOf(request.headers['accept-language'])
  return reply
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(publicPage(lang, say(noPage, lang), envelope.message))
}
/** Refuses a request: in words of its own, or those of the status. */
export const refuse = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  text = faults[status] ?? faults[400]!,
) => {
  const lang = langOf(request.headers['accept-language'])
  const words = say(text, lang, {
    n: Math.floor((request.routeOptions.bodyLimit ?? BODY_MAX) / 1024 / 1024),
  })
  return send(request, reply.code(status), envelopeOf(status, words, null))
}
