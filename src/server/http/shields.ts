import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import Fastify, { type FastifyInstance } from 'fastify'

/**
 * Sets helmet's headers on every answer. They are worked out once, as the policy is the same for
 * each: helmet itself would check and write it anew with every request.
 */
export const shield = async (
  app: FastifyInstance,
  options: FastifyHelmetOptions,
): Promise<void> => {
  const once = Fastify()
  await once.register(helmet, options)
  once.get('/', (_, reply) => reply.send(reply.raw.getHeaders()))
  const headers = Object.entries((await once.inject('/')).json<Record<string, string>>())
  await once.close()
  // On the raw answer, as helmet does: what a route says itself overrules them.
  app.addHook('onRequest', (_, reply, next) => {
    for (const [name, value] of headers) reply.raw.setHeader(name, value)
    next()
  })
}
