import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Recent } from '#src/server/db/memory.ts'

type Kept = { headers: Parameters<FastifyReply['headers']>[0]; body: Buffer }
const KEPT_MAX = 1000
const BYTES_MAX = 256 * 1024
/** The headers that follow from a file; all others are of one answer. */
const ofFile = [
  'content-type',
  'content-length',
  'content-encoding',
  'vary',
  'etag',
  'last-modified',
  'accept-ranges',
  'cache-control',
]
/** As browsers ask: few words, so that nobody fills the memory by asking in ever new ones. */
const usual = /^gzip, deflate(, br(, zstd)?)?$/
const special = ['range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since']

/** The whole file as a browser takes it; undefined for what is asked in any other way. */
const keyOf = ({ method, headers, params }: FastifyRequest): string | undefined => {
  const accepts = String(headers['accept-encoding'] ?? '')
  const plain = method === 'GET' && usual.test(accepts) && !special.some(name => name in headers)
  return plain ? `${accepts}|${(params as { '*': string })['*']}` : undefined
}

/**
 * Hooks of a route whose files never change under their name: how one was answered is kept and
 * answered again. A page begins with over a hundred of them, and to find, open and read one takes
 * several times as long as to send it.
 */
export const keepsFiles = () => {
  const kept = new Recent<Kept>(KEPT_MAX)
  return {
    preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
      const key = keyOf(request)
      const found = key === undefined ? undefined : kept.get(key)
      return found && reply.headers(found.headers).send(found.body)
    },
    onSend: async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
      const key = keyOf(request)
      const fits = Number(reply.getHeader('content-length')) <= BYTES_MAX
      if (key === undefined || reply.statusCode !== 200 || !fits || !(payload instanceof Readable))
        return payload
      const body = await buffer(payload)
      const headers = ofFile.map(name => [name, reply.getHeader(name)] as const)
      kept.set(key, {
        headers: Object.fromEntries(headers.filter(([, value]) => value !== undefined)),
        body,
      })
      return body
    },
  }
}
