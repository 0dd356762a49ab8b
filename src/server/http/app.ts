import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import rateLimit from '@fastify/rate-limit'
import { eq } from 'drizzle-orm'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Logger } from 'pino'
import { scanRoute } from '#src/areas/channelCode/landing.server.ts'
import { embeddedIssue, noIssue, type IssueChannel } from '#src/areas/coupon/issue.channel.ts'
import { channelRoutes } from '#src/areas/ecard/partnerRoutes.server.ts'
import {
  embeddedSupplier,
  noSupplier,
  type SupplierChannel,
} from '#src/areas/ecard/supplier.channel.ts'
import {
  embeddedProviders,
  noProviders,
  type TicketProviders,
} from '#src/areas/film/provider.channel.ts'
import { sealLedger } from '#src/areas/ledger/verify.server.ts'
import { shortLinkRoute } from '#src/areas/link/shortlinks.server.ts'
import { keepOrder } from '#src/areas/log/chain.server.ts'
import { sealLog } from '#src/areas/log/seal.server.ts'
import { embeddedLicence, httpLicence, noLicence } from '#src/areas/merchant/licence.channel.ts'
import { embeddedContracts, noContracts } from '#src/areas/payment/embeddedContract.channel.ts'
import { embeddedPay, noPay } from '#src/areas/payment/embeddedPay.channel.ts'
import { heardFromChannel } from '#src/areas/payment/payments.server.ts'
import { payNoticeRoutes, type OnPayNotice } from '#src/areas/payment/payNotify.server.ts'
import type { WechatPayKeys } from '#src/areas/payment/wechatClient.channel.ts'
import { wechatPay } from '#src/areas/payment/wechatPay.channel.ts'
import { httpBank, noBank } from '#src/areas/payout/bank.channel.ts'
import { embeddedTransfer, noTransfer } from '#src/areas/payout/embeddedTransfer.channel.ts'
import { wechatTransfer } from '#src/areas/payout/wechatTransfer.channel.ts'
import { settleTransfer } from '#src/areas/payout/withdrawals.server.ts'
import { setting } from '#src/areas/people/people.table.ts'
import { noBills } from '#src/areas/reconcile/bills.channel.ts'
import { embeddedBills } from '#src/areas/reconcile/embeddedBills.channel.ts'
import { wechatBills } from '#src/areas/reconcile/wechatBills.channel.ts'
import { codePartnerRoutes } from '#src/areas/redeemCode/partnerRoutes.server.ts'
import { designedPageRoutes } from '#src/areas/scheme/publicPages.server.ts'
import { codeKeysIn, openKeyFile } from '#src/areas/secret/keyFile.server.ts'
import { embeddedTrack, httpTrack, noTrack } from '#src/areas/shipping/track.channel.ts'
import { embeddedSharing, noSharing } from '#src/areas/split/embeddedSharing.channel.ts'
import { wechatSharing } from '#src/areas/split/wechatSharing.channel.ts'
import { wecomCallbackRoutes } from '#src/areas/wecom/callback.server.ts'
import { openWecomPort, type WecomPort, type WecomSetup } from '#src/areas/wecom/port.server.ts'
import { linkRoute } from '#src/areas/wecomMaterial/landing.server.ts'
import { urlOf, type Call } from '#src/contract/call.ts'
import { SERVER_TIME, type Envelope } from '#src/contract/envelope.ts'
import { say, type Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { dropOldKeys } from '#src/server/call/idempotency.ts'
import type { Db, Implementation, Install } from '#src/server/call/implement.ts'
import { docsPage, openApiOf } from '#src/server/call/openapi.ts'
import {
  callerOf,
  envelopeOf,
  langOf,
  refused,
  signIn,
  type Core,
} from '#src/server/call/pipeline.ts'
import { dropOldUndos } from '#src/server/call/undo.ts'
import { alone } from '#src/server/db/alone.ts'
import type { Database } from '#src/server/db/database.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { exportBell } from '#src/server/exports/exports.ts'
import { openExportWorker } from '#src/server/exports/exportWorker.ts'
import { openJobs, type Jobs } from '#src/server/jobs/jobs.ts'
import { rowJobBell } from '#src/server/jobs/rowJobs.ts'
import { openRowJobWorker } from '#src/server/jobs/rowJobWorker.ts'
import { timers } from '#src/server/jobs/timers.ts'
import { openEvents, type Events } from '#src/server/live/events.ts'
import { liveRoute } from '#src/server/live/stream.ts'
import '#src/areas/log/placed.server.ts'
import '#src/server/jobs/tidying.ts'
import { warmPasswords } from '#src/server/sessions/passwords.ts'
import { isSameSecret } from '#src/server/sessions/sameSecret.ts'
import { expireSessions, usualLimits, type SessionLimits } from '#src/server/sessions/sessions.ts'
import { callRoutes } from './calls.ts'
import { limitConnections, usualConnections, type ConnectionLimits } from './connections.ts'
import { consoleRoutes, folderRoutes, isPage } from './console.ts'
import { downloadRoute } from './downloads.ts'
import { openLog } from './logging.ts'
import { openMetrics } from './metrics.ts'
import { publicPage, wantsPage } from './publicPage.ts'
import { shield } from './shields.ts'
import { localStore, pictureOf, uploadTokenFor, type ImageStore } from './upload.ts'

export type AppOptions = {
  database: Database
  /**
   * Address of the PostgreSQL, so that other processes' changes are heard. Absent in the embedded
   * mode.
   */
  databaseUrl?: string | undefined
  modules: readonly Implementation<any>[]
  /** Folder of uploads and exports. */
  folder: string
  /** The file of code keys, which several processes on one database share; in the folder unless said. */
  codeKeys?: string | undefined
  /** The built console, if this process serves it. */
  console?: string | undefined
  /** Demo accounts, shown on the sign-in page. */
  demo?: Install['demo']
  log?: Logger | undefined
  limits?: Partial<SessionLimits> | undefined
  /** Qiniu or another store that speaks its form upload; the local one otherwise. */
  images?: ImageStore | undefined
  map?: Install['map'] | undefined
  /** Where customers reach this server; links in messages are counted by it. */
  origin?: string | null | undefined
  gateways?: { robot: string | null; mail: string | null; sms: string | null } | undefined
  /**
   * Keys of WeChat Pay; `embedded`, the book of trials, unless said; `none` where nothing is set up
   * and nothing may be pretended.
   */
  pay?: WechatPayKeys | 'embedded' | 'none' | undefined
  /** Hears what a payment channel tells by itself, in the place of the orders (tests). */
  onPayNotice?: OnPayNotice | undefined
  /**
   * Address of a bank that pays to accounts; `embedded`, the book of trials, unless said; `none`
   * where nothing is set up.
   */
  bank?: URL | 'embedded' | 'none' | undefined
  /**
   * Address of a tracking service; `embedded`, which makes traces up, unless said; `none` where
   * nothing is set up.
   */
  track?: URL | 'embedded' | 'none' | undefined
  /** Address of a service that reads licences; `embedded`, this server's own, unless said; or `none`. */
  licence?: URL | 'embedded' | 'none' | undefined
  /** Where e-cards are issued; `embedded`, which makes them up, unless said. */
  issue?: IssueChannel | 'embedded' | 'none' | undefined
  /** Whose codes are sold as e-cards; `embedded`, which makes them up, unless said. */
  supplier?: SupplierChannel | 'embedded' | 'none' | undefined
  /** Providers of film tickets; the embedded ones make them up. */
  tickets?: TicketProviders | 'embedded' | 'none' | undefined
  wechat?: { appid: string; secret: string; api?: string } | null | undefined
  /** WeCom of one's own; `embedded`, a server that stands in for it, unless said; or `none`. */
  wecom?: WecomSetup | 'embedded' | 'none' | undefined
  trustProxy?: readonly string[] | undefined
  /** Opens `/metrics` and `/api/docs`; without one they are closed, or ask for a session. */
  operatorToken?: string | undefined
  /** Times and numbers of connections, where a test can't wait for the usual ones. */
  connections?: Partial<ConnectionLimits>
  /** Calls a minute from one address to what is open to everybody. */
  publicRate?: number
}
export type App = {
  fastify: FastifyInstance
  events: Events
  install: Install
  /** How WeCom is reached, and the embedded server where it stands in. */
  wecom: WecomPort
  calls: readonly Call[]
  /** Every way in, `GET /healthz`. */
  routes: readonly string[]
  /** Begins timers, exports and row jobs, also those that waited when the last process ended. */
  startJobs: () => Promise<void>
  close: () => Promise<void>
}

const BODY_MAX = 1024 * 1024
const AGAIN_MS = 1000
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
const send = (request: FastifyRequest, reply: FastifyReply, envelope: Envelope) => {
  if (!wantsPage(request)) return reply.send(envelope)
  const lang = langOf(request.headers['accept-language'])
  return reply
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(publicPage(lang, say(noPage, lang), envelope.message))
}
const withoutSchemas = () => {
  throw new Error('Routes have no JSON schemas here: a contract says what a call takes')
}
/** Whether a request carries the operators' token. No address proves anything: a proxy has ours. */
const isOperators = ({ headers }: FastifyRequest, token = ''): boolean =>
  token !== '' && isSameSecret(headers.authorization ?? '', `Bearer ${token}`)

/** The installation's own key, made once and shared by all processes on one database. */
const ownKey = async ({ db }: Database): Promise<Buffer> => {
  const kept = () => db.select().from(setting).where(eq(setting.key, 'sign_key'))
  // Read first: a start on a full disk writes nothing.
  let [row] = await kept()
  if (!row) {
    await db
      .insert(setting)
      .values({ key: 'sign_key', value: randomBytes(32).toString('base64') })
      .onConflictDoNothing({ target: setting.key })
    ;[row] = await kept()
  }
  return Buffer.from(String(row!.value), 'base64')
}
/** The file of code keys that an installation names, or that of its folder. */
const keysOf = ({ codeKeys, folder }: AppOptions) => openKeyFile(codeKeys ?? codeKeysIn(folder))
/** Session limits from the settings table, where an administrator may have changed them. */
const limitsFrom = async ({ db }: Database): Promise<Partial<SessionLimits>> => {
  const [row] = await db.select().from(setting).where(eq(setting.key, 'session'))
  const { idle_s, absolute_s } = (row?.value ?? {}) as Partial<SessionLimits>
  return {
    ...(Number.isInteger(idle_s) && { idle_s: idle_s! }),
    ...(Number.isInteger(absolute_s) && { absolute_s: absolute_s! }),
  }
}

/** The channel that an option names: one of the installation's own, none, or the embedded one. */
const chosen = <Own extends object, Channel>(
  option: Own | 'embedded' | 'none' | undefined,
  of: { own: (own: Own) => Channel; none: Channel; embedded: () => Channel },
): Channel => {
  if (typeof option === 'object') return of.own(option)
  return option === 'none' ? of.none : of.embedded()
}

/**
 * The server without its port: every call of every module, the live stream, files, console and what
 * operators ask for.
 */
export const buildApp = async (options: AppOptions): Promise<App> => {
  const { database } = options
  const log = options.log ?? openLog('silent')
  await keepOrder(database)
  const key = await ownKey(database)
  const keyed = (purpose: string) => createHmac('sha256', key).update(purpose).digest('base64url')
  const images = options.images ?? {
    access_key: 'local',
    secret_key: keyed('images'),
    bucket: 'local',
    domain: '/uploads',
    upload_url: '/api/upload',
  }
  const wecom = openWecomPort({
    setup: options.wecom,
    database,
    keyed,
    heard: asked => metrics.wecomAsked(asked),
  })
  const sharing = chosen(options.pay, {
    own: keys => (options.wechat ? wechatSharing(keys, options.wechat.appid) : noSharing),
    none: noSharing,
    embedded: () => embeddedSharing(database),
  })
  const install: Install = {
    pay: chosen(options.pay, {
      own: wechatPay,
      none: noPay,
      embedded: () => embeddedPay(database),
    }),
    // WeChat's deductions are not built: where its payments are, nothing renews by itself.
    contracts: chosen(options.pay, {
      own: () => noContracts,
      none: noContracts,
      embedded: () => embeddedContracts(database),
    }),
    transfer: chosen(options.pay, {
      own: keys => (options.wechat ? wechatTransfer(keys, options.wechat.appid) : noTransfer),
      none: noTransfer,
      embedded: () => embeddedTransfer(database),
    }),
    bank: chosen(options.bank, {
      own: ({ href }) => httpBank(href),
      none: noBank,
      embedded: () => embeddedTransfer(database, { book: 'bank' }),
    }),
    sharing,
    bills: chosen(options.pay, {
      own: keys => wechatBills(keys),
      none: noBills,
      embedded: () => embeddedBills(database, sharing.own),
    }),
    track: chosen(options.track, {
      own: ({ href }) => httpTrack(href),
      none: noTrack,
      embedded: () => embeddedTrack,
    }),
    licence: chosen(options.licence, {
      own: ({ href }) => httpLicence(href),
      none: noLicence,
      embedded: () => embeddedLicence,
    }),
    issue: chosen(options.issue, { own: of => of, none: noIssue, embedded: () => embeddedIssue }),
    supplier: chosen(options.supplier, {
      own: of => of,
      none: noSupplier,
      embedded: () => embeddedSupplier,
    }),
    tickets: chosen(options.tickets, {
      own: of => of,
      none: noProviders,
      embedded: () => embeddedProviders,
    }),
    wecom: wecom.client,
    gateways: options.gateways ?? { robot: null, mail: null, sms: null },
    codeKeys: keysOf(options),
    demo: options.demo ?? null,
    origin: options.origin,
    map: options.map ?? null,
    wechat: options.wechat ? { api: 'https://api.weixin.qq.com', ...options.wechat } : null,
    limits: { ...usualLimits, ...(await limitsFrom(database)), ...options.limits },
    sign: text => createHmac('sha256', key).update(text).digest('base64url'),
    storesElsewhere: /^https?:/.test(images.upload_url),
    uploadToken: (of, now) => ({
      token: uploadTokenFor(images, of, now),
      domain: images.domain,
      upload_url: images.upload_url,
    }),
    picture: file_key =>
      pictureOf(options.images ? images.domain : join(options.folder, 'uploads'), file_key),
  }
  const events = await openEvents(options.databaseUrl)
  const core: Core = { database, events, install, log }
  const metrics = openMetrics(database, events)

  const connections = { ...usualConnections, ...options.connections }
  const refuse = (request: FastifyRequest, reply: FastifyReply, status: number, text: Text) => {
    const lang = langOf(request.headers['accept-language'])
    const words = say(text, lang, {
      n: Math.floor((request.routeOptions.bodyLimit ?? BODY_MAX) / 1024 / 1024),
    })
    return send(request, reply.code(status), envelopeOf(status, words, null))
  }
  const fastify = Fastify({
    logger: false,
    bodyLimit: BODY_MAX,
    requestTimeout: connections.request_ms,
    keepAliveTimeout: connections.kept_ms,
    connectionTimeout: connections.idle_ms,
    http: {
      headersTimeout: connections.headers_ms,
      connectionsCheckingInterval: connections.check_ms,
    },
    // An address that can't be read reaches no handler.
    frameworkErrors: (error, request, reply) =>
      void refuse(request, reply, error.statusCode ?? 400, faults['400']!),
    trustProxy: options.trustProxy?.length ? [...options.trustProxy] : false,
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    return503OnClosing: true,
    forceCloseConnections: true,
    // The contracts' own schemas check what comes and goes: Fastify's compilers, which take their
    // time to load, are never asked.
    schemaController: {
      compilersFactory: {
        buildValidator: () => withoutSchemas,
        buildSerializer: () => withoutSchemas,
      },
    },
    // Specification, section 2: doubled slashes are tolerated. The console reads the address as it
    // was typed; the file server refuses it.
    rewriteUrl: ({ url = '/' }) =>
      /^\/+api\//.test(url) ? url : url.replace(/^[^?]*/, path => path.replace(/\/{2,}/g, '/')),
  })
  limitConnections(fastify.server, {
    each: connections.each,
    trusted: options.trustProxy ?? [],
  })
  const routes: string[] = []
  fastify.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.ofCalls) routes.push(...[method].flat().map(each => `${each} ${url}`))
  })
  fastify.removeContentTypeParser('text/plain')
  fastify.removeContentTypeParser('application/json')
  const parseJson = fastify.getDefaultJsonParser('error', 'error')
  // A call without input may come without a body.
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parseJson(request, body as string, done),
  )

  const shut = (origin: string) => (/^https?:/.test(origin) ? [new URL(origin).origin] : [])
  const mapHosts = install.map ? ['https://*.amap.com', 'https://*.is.autonavi.com'] : []
  await shield(fastify, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...mapHosts],
        connectSrc: ["'self'", ...shut(images.upload_url), ...mapHosts],
        imgSrc: ["'self'", 'data:', 'blob:', ...shut(images.domain), ...mapHosts],
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
  })
  await fastify.register(rateLimit, { global: false })

  fastify.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, [SERVER_TIME]: Date.now() })
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })
  fastify.addHook('onResponse', async (request, reply) => {
    // The route, never the address: addresses carry what people searched for.
    const route = request.prepared ? urlOf(request.prepared.call) : request.routeOptions.url
    metrics.answered(request.method, route ?? 'unknown', reply.statusCode, reply.elapsedTime)
    log.info(
      {
        request_id: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(request.staff_id && { staff_id: request.staff_id }),
      },
      'answered',
    )
  })
  fastify.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 400 && status < 500)
      return refuse(request, reply, status, faults[status] ?? faults[400]!)
    if (error.code === 'FST_ERR_REOPENED_CLOSE_SERVER' || status === 503)
      return refuse(request, reply, 503, [
        '服务正在重启，请稍后重试',
        'The server is restarting, try again shortly',
      ])
    const answered = refused(core, error, {
      request_id: request.id,
      lang: langOf(request.headers['accept-language']),
    })
    return send(
      request,
      reply.code(answered.http).headers(answered.headers ?? {}),
      answered.envelope,
    )
  })
  fastify.setNotFoundHandler((request, reply) => {
    if (
      options.console &&
      isPage(request.method, request.url, request.headers.accept) &&
      existsSync(join(options.console, 'index.html'))
    )
      reply.header('cache-control', 'no-cache').sendFile('index.html', options.console)
    // Nothing is returned: fastify listens once more to each reply that is, and Node warns of so many.
    else refuse(request, reply, 404, faults['404']!)
  })

  const calls = callRoutes(fastify, core, { ...options, metrics })
  routes.push(...calls.map(call => `${call.method} ${urlOf(call)}`))

  const worker = await openExportWorker({
    database,
    events,
    folder: join(options.folder, 'exports'),
    log,
  })
  const rowWorker = await openRowJobWorker(core)
  liveRoute(fastify, core)
  downloadRoute(fastify, core, worker)
  shortLinkRoute(fastify, core)
  scanRoute(fastify, core)
  linkRoute(fastify, core)
  designedPageRoutes(fastify, core)
  await channelRoutes(fastify, core)
  await codePartnerRoutes(fastify, core)
  const told = async (tags: readonly string[], take: (tx: Db) => Promise<unknown>) => {
    const message = { tags }
    await database.transaction(async tx => {
      await take(tx)
      await events.announce(tx, message)
    })
    events.emit(message)
  }
  await payNoticeRoutes(fastify, core, {
    hear:
      options.onPayNotice ??
      ((_, notice, now) => told(['order', 'refund'], tx => heardFromChannel(tx, notice, now))),
    hearTransfer: (notice, now) =>
      told(['withdrawal', 'ledger'], tx => settleTransfer(tx, { ...notice, now })),
  })
  await wecomCallbackRoutes(fastify, core, wecom.callback)
  const uploads = join(options.folder, 'uploads')
  if (!options.images) {
    await localStore(fastify, { store: images, folder: uploads, database })
    await fastify.register(scope =>
      folderRoutes(scope, {
        root: uploads,
        prefix: '/uploads/',
        index: false,
        cacheControl: false,
        serveDotFiles: false,
        setHeaders: reply => {
          reply.header('cache-control', 'public, max-age=31536000, immutable')
          reply.header('content-security-policy', "default-src 'none'; sandbox")
        },
      }),
    )
  }

  fastify.get('/healthz', async (_, reply) => {
    try {
      await database.answers()
      return reply
        .header('cache-control', 'no-store')
        .send({ ok: true, ...database.state(), events: events.connected() })
    } catch {
      return reply
        .code(503)
        .header('retry-after', '3')
        .header('cache-control', 'no-store')
        .send({ ok: false, ...database.state(), answering: false })
    }
  })
  fastify.get('/metrics', async (request, reply) =>
    isOperators(request, options.operatorToken)
      ? reply.header('content-type', metrics.type).send(await metrics.text())
      : refuse(request, reply, 403, faults['403']!),
  )
  const readers = async (request: FastifyRequest) => {
    if (!isOperators(request, options.operatorToken))
      await signIn(core, callerOf(request), unixNow())
  }
  let documented: object | undefined
  const openApi = () => (documented ??= openApiOf(calls))
  fastify.get('/api/docs.json', { onRequest: readers }, async () => openApi())
  fastify.get('/api/docs', { onRequest: readers }, async (request, reply) =>
    (request.headers.accept ?? '').includes('text/html')
      ? reply.type('text/html; charset=utf-8').send(docsPage(calls))
      : openApi(),
  )
  if (options.console && existsSync(options.console)) await consoleRoutes(fastify, options.console)

  let jobs: Jobs | undefined
  // What a change asks for at once does not wait for the clock; when the queue is away the clock
  // does it all the same.
  const nudge = events.listen(heard => {
    if (heard.event !== 'change' || !jobs) return
    const { tags } = JSON.parse(heard.data) as { tags: string[] }
    for (const timer of timers())
      if (timer.after.some(tag => tags.includes(tag)))
        jobs
          .soon(timer.name)
          .catch(error =>
            log.warn(
              { code: faultOf(error)?.code, timer: timer.name },
              'a timer waits for its time',
            ),
          )
  })
  let starting: Promise<void> | undefined
  /** Each queue with its worker and what is rung when something is put in it. */
  const queues = [
    { name: 'export', worker, bell: exportBell },
    { name: 'row-job', worker: rowWorker, bell: rowJobBell },
  ]
  const work = (of: Pick<typeof worker, 'work'>) =>
    void of.work().catch(error => log.warn({ err: error }, 'a queue waits for the database'))
  let closing = false
  /** What the clock changed is told to the panes of this process and of all others. */
  const tell = async (what: (tx: Db) => Promise<Parameters<typeof events.emit>[0]>) => {
    events.emit(
      await database.transaction(async tx => {
        const message = await what(tx)
        await events.announce(tx, message)
        return message
      }),
    )
  }
  const beginWith = async (opened: Jobs) => {
    for (const queue of queues) await opened.on(queue.name, () => queue.worker.work())
    await opened.every('* * * * *', 'minute', async () => {
      const now = unixNow()
      await tell(async tx => ({ tags: [], ended: await expireSessions(tx, now) }))
      await dropOldKeys(database.db, now)
      await dropOldUndos(database.db, now)
      // Thousands of rows take their minutes: the clock does not wait for them.
      void rowWorker
        .sweep()
        .catch(error => log.warn({ err: error }, 'row jobs wait for the next sweep'))
      await worker.sweep()
    })
    for (const { name, cron, run } of timers()) {
      await opened.every(cron, name, async () => {
        const tags = await run({ ...core, now: unixNow() })
        if (tags.length > 0) await tell(async () => ({ tags }))
      })
    }
    // The server's own log hears it too, which whoever changes the database may not reach: what
    // was sealed can be held against it.
    await opened.every('* * * * *', 'seal', async () => {
      for (const seal of await sealLog(database, unixNow()))
        log.info(
          { seal: seal.id, rows: seal.rows, hash: seal.hash },
          'the operation log was sealed',
        )
      for (const seal of await sealLedger(database, unixNow()))
        log.info({ seal: seal.id, rows: seal.rows, hash: seal.hash }, 'the journal was sealed')
    })
    jobs = opened
    for (const queue of queues) work(queue.worker)
  }
  /** The database may go away while the timers begin: then they begin anew when it is back. */
  const begin = async (): Promise<void> => {
    for (;;) {
      let opened: Jobs | undefined
      try {
        const started = await alone(database, () => openJobs(database, log, () => closing))
        opened = started
        return await alone(database, () => beginWith(started))
      } catch (error) {
        await opened?.close().catch(() => {})
        const fault = faultOf(error)
        if (closing || !fault || !['unavailable', 'full'].includes(fault.kind)) throw error
        log.warn({ code: fault.code }, 'timers wait for the database')
        await sleep(AGAIN_MS)
      }
    }
  }
  // This process does its own people's exports and jobs at once; the queue is for the case that it
  // dies meanwhile.
  const forget = queues.map(({ name, worker: of, bell }) =>
    bell.on(() => {
      if (!jobs) return
      work(of)
      void jobs
        .send(name)
        .catch(error => log.warn({ err: error }, 'a queue waits for the next sweep'))
    }),
  )
  const refresh = setInterval(() => {
    limitsFrom(database).then(
      limits => Object.assign(install.limits, limits),
      () => {},
    )
  }, 60_000)
  refresh.unref()
  void warmPasswords()
  await fastify.ready()

  return {
    fastify,
    events,
    install,
    wecom,
    calls,
    routes,
    startJobs: () => (starting ??= begin()),
    close: async () => {
      closing = true
      clearInterval(refresh)
      for (const one of forget) one()
      nudge()
      await fastify.close()
      await Promise.all([worker.close(), rowWorker.close()])
      await starting?.catch(() => {})
      await jobs?.close()
      await wecom.close()
      await events.close()
    },
  }
}
