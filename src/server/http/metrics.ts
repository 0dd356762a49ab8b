import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { WecomAsked } from '#src/areas/wecom/ask.channel.ts'
import { inboxState } from '#src/areas/wecom/inbox.server.ts'
import type { Database } from '#src/server/db/database.ts'
import type { Events } from '#src/server/live/events.ts'

/** Figures of WeCom: how long it takes, and what of it waits here. */
const wecomFigures = ({ db }: Database, registers: Registry[]) => {
  const wecom = new Histogram({
    name: 'mallet_wecom_seconds',
    help: 'Time that WeCom took to answer, by path and how it went',
    labelNames: ['path', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 3, 10],
    registers,
  })
  new Gauge({
    name: 'mallet_wecom_events',
    help: 'Events of WeCom that wait, and those given up',
    labelNames: ['state'],
    registers,
    async collect() {
      try {
        const { waiting, dead } = await inboxState(db)
        this.set({ state: 'waiting' }, waiting)
        this.set({ state: 'dead' }, dead)
      } catch {
        // The figures of a database that is away are told without these.
        this.reset()
      }
    },
  })
  return ({ path, kind, ms }: WecomAsked) => wecom.observe({ path, outcome: kind }, ms / 1000)
}
/**
 * Figures for Prometheus. Labels are of the contract (method, route, status class), never of a
 * request.
 */
export const openMetrics = (database: Database, events: Events) => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'mallet_request_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3, 10],
    registers,
  })
  const refusals = new Counter({
    name: 'mallet_session_refusals_total',
    help: 'Calls answered 41000x, by code',
    labelNames: ['code'],
    registers,
  })
  new Gauge({
    name: 'mallet_live_streams',
    help: 'Open event streams',
    registers,
    collect() {
      this.set(events.listeners())
    },
  })
  new Gauge({
    name: 'mallet_events_connected',
    help: 'Other processes are heard (1), or not (0)',
    registers,
    collect() {
      this.set(events.connected() ? 1 : 0)
    },
  })
  new Gauge({
    name: 'mallet_database_answering',
    help: 'The database answers (1), or not (0)',
    registers,
    collect() {
      this.set(database.state().answering ? 1 : 0)
    },
  })
  new Gauge({
    name: 'mallet_database_connections',
    help: 'Connections by state',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'open' }, database.pool.totalCount)
      this.set({ state: 'idle' }, database.pool.idleCount)
      this.set({ state: 'waited_for' }, database.pool.waitingCount)
    },
  })
  const wecomAsked = wecomFigures(database, registers)
  return {
    wecomAsked,
    answered: (method: string, route: string, status: number, ms: number) =>
      seconds.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, ms / 1000),
    sessionRefused: (code: number) => refusals.inc({ code: String(code) }),
    text: () => registry.metrics(),
    type: registry.contentType,
  }
}
