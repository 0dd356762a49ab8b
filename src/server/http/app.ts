import { existsSync } from 'node:fs'
import { join } from 'node:path'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { scanRoute } from '#src/areas/channelCode/landing.server.ts'
import { channelRoutes } from '#src/areas/ecard/partnerRoutes.server.ts'
import { shortLinkRoute } from '#src/areas/link/shortlinks.server.ts'
import { keepOrder } from '#src/areas/log/chain.server.ts'
import { heardFromChannel } from '#src/areas/payment/payments.server.ts'
import { payNoticeRoutes } from '#src/areas/payment/payNotify.server.ts'
import { settleTransfer } from '#src/areas/payout/withdrawals.server.ts'
import { codePartnerRoutes } from '#src/areas/redeemCode/partnerRoutes.server.ts'
import { designedPageRoutes } from '#src/areas/scheme/publicPages.server.ts'
import { wecomCallbackRoutes } from '#src/areas/wecom/callback.server.ts'
import type { WecomPort } from '#src/areas/wecom/port.server.ts'
import { linkRoute } from '#src/areas/wecomMaterial/landing.server.ts'
import { urlOf, type Call } from '#src/contract/call.ts'
import type { Db, Install } from '#src/server/call/implement.ts'
import type { Core } from '#src/server/call/pipeline.ts'
import { openExportWorker } from '#src/server/exports/exportWorker.ts'
import { openBackground } from '#src/server/jobs/background.ts'
import { openRowJobWorker } from '#src/server/jobs/rowJobWorker.ts'
import { openEvents, type Events } from '#src/server/live/events.ts'
import { liveRoute } from '#src/server/live/stream.ts'
import '#src/areas/log/placed.server.ts'
import { warmPasswords } from '#src/server/sessions/passwords.ts'
import { answerFaults, noteAnswers } from './answering.ts'
import { callRoutes } from './calls.ts'
import { consoleRoutes, folderRoutes } from './console.ts'
import { downloadRoute } from './downloads.ts'
import { limitsFrom, openInstall } from './install.ts'
import { openListener } from './listener.ts'
import { openLog } from './logging.ts'
import { openMetrics } from './metrics.ts'
import { healthRoute, operatorRoutes } from './operators.ts'
import type { AppOptions } from './options.ts'
import { consolePolicy, shield } from './shields.ts'
import { localStore, type ImageStore } from './upload.ts'

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

/** Every way in but those of the calls, as `GET /healthz`; more come as routes are added. */
const waysInto = (fastify: FastifyInstance): string[] => {
  const routes: string[] = []
  fastify.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.ofCalls) routes.push(...[method].flat().map(each => `${each} ${url}`))
  })
  return routes
}
/** What customers, partners and channels reach: links, scans, designed pages, notices. */
const publicRoutes = async (
  fastify: FastifyInstance,
  core: Core,
  { onPayNotice }: AppOptions,
  wecom: WecomPort,
): Promise<void> => {
  const { database, events } = core
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
      onPayNotice ??
      ((_, notice, now) => told(['order', 'refund'], tx => heardFromChannel(tx, notice, now))),
    hearTransfer: (notice, now) =>
      told(['withdrawal', 'ledger'], tx => settleTransfer(tx, { ...notice, now })),
  })
  await wecomCallbackRoutes(fastify, core, wecom.callback)
}
/** Pictures in the installation's own folder: how they come, and how they are served. */
const ownPictures = async (
  fastify: FastifyInstance,
  { database, folder }: AppOptions,
  store: ImageStore,
): Promise<void> => {
  const uploads = join(folder, 'uploads')
  await localStore(fastify, { store, folder: uploads, database })
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
const LIMITS_MS = 60_000
/** Takes in what an administrator changes of the sessions' limits. Answers how to stop. */
const followLimits = ({ database, install }: Core): (() => void) => {
  const refresh = setInterval(() => {
    limitsFrom(database).then(
      limits => Object.assign(install.limits, limits),
      () => {},
    )
  }, LIMITS_MS)
  refresh.unref()
  return () => clearInterval(refresh)
}

/**
 * The server without its port: every call of every module, the live stream, files, console and what
 * operators ask for.
 */
export const buildApp = async (options: AppOptions): Promise<App> => {
  const { database } = options
  const log = options.log ?? openLog('silent')
  await keepOrder(database)
  const { install, images, wecom } = await openInstall(options, asked => metrics.wecomAsked(asked))
  const events = await openEvents(options.databaseUrl)
  const core: Core = { database, events, install, log }
  const metrics = openMetrics(database, events)

  const fastify = openListener(options)
  const routes = waysInto(fastify)
  await shield(fastify, consolePolicy({ images, map: install.map !== null }))
  await fastify.register(rateLimit, { global: false })
  noteAnswers(fastify, core, metrics)
  answerFaults(fastify, core, options.console)

  const calls = callRoutes(fastify, core, { ...options, metrics })
  routes.push(...calls.map(call => `${call.method} ${urlOf(call)}`))
  const folder = join(options.folder, 'exports')
  const workers = {
    exports: await openExportWorker({ database, events, folder, log }),
    rows: await openRowJobWorker(core),
  }
  liveRoute(fastify, core)
  downloadRoute(fastify, core, workers.exports)
  await publicRoutes(fastify, core, options, wecom)
  if (!options.images) await ownPictures(fastify, options, images)
  healthRoute(fastify, core)
  operatorRoutes(fastify, core, { calls, metrics, token: options.operatorToken })
  if (options.console && existsSync(options.console)) await consoleRoutes(fastify, options.console)

  const background = openBackground(core, workers)
  const forgetLimits = followLimits(core)
  void warmPasswords()
  await fastify.ready()
  return {
    fastify,
    events,
    install,
    wecom,
    calls,
    routes,
    startJobs: background.start,
    close: async () => {
      background.hush()
      forgetLimits()
      await fastify.close()
      await background.close()
      await wecom.close()
      await events.close()
    },
  }
}
