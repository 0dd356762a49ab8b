import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import Fastify, { type FastifyInstance } from 'fastify'
import type { ImageStore } from './upload.ts'

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

const originOf = (address: string) => (/^https?:/.test(address) ? [new URL(address).origin] : [])
/** What pages of the console may load: their own, pictures where they lie, and a map if there is one. */
export const consolePolicy = ({
  images,
  map,
}: {
  images: Pick<ImageStore, 'domain' | 'upload_url'>
  map: boolean
}): FastifyHelmetOptions => {
  const mapHosts = map ? ['https://*.amap.com', 'https://*.is.autonavi.com'] : []
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...mapHosts],
        connectSrc: ["'self'", ...originOf(images.upload_url), ...mapHosts],
        imgSrc: ["'self'", 'data:', 'blob:', ...originOf(images.domain), ...mapHosts],
        fontSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        // Blueprint and mosaic place popovers and panes by style attributes; scripts have no such
        // leave.
        styleSrc: ["'self'", "'unsafe-inline'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
      },
    },
    // Whoever puts TLS in front says so there; here it would lock a plain-HTTP install out of its
    // own browser.
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
  }
}
