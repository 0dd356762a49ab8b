import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { shield } from '#src/server/http/shields.ts'

const options: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], scriptSrc: ["'self'", 'https://a.example'] },
  },
  strictTransportSecurity: false,
  referrerPolicy: { policy: 'no-referrer' },
}
const answered = async (shielded: 'by helmet' | 'once') => {
  const app = Fastify()
  if (shielded === 'once') await shield(app, options)
  else await app.register(helmet, options)
  app.get('/', async () => 'ok')
  app.get('/own', async (_, reply) => reply.header('content-security-policy', 'sandbox').send('ok'))
  const urls = ['/', '/', '/own', '/nowhere']
  const answers = []
  for (const url of urls) {
    const { headers } = await app.inject(url)
    answers.push({ ...headers, date: undefined })
  }
  await app.close()
  return answers
}
it('every answer carries what helmet would set, and what a route says itself', async () => {
  const once = await answered('once')
  expect(once).toEqual(await answered('by helmet'))
  expect(once.map(headers => headers['content-security-policy'])).toEqual([
    "default-src 'none';script-src 'self' https://a.example",
    "default-src 'none';script-src 'self' https://a.example",
    'sandbox',
    "default-src 'none';script-src 'self' https://a.example",
  ])
})
