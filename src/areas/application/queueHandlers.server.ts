import { auditorsPage, auditorsWho } from '#src/areas/audit/auditors.server.ts'
import { eachRow } from '#src/server/call/batch.ts'
import type { ReadContext, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import type { Application } from './application.table.ts'
import {
  applicationCounts,
  applicationItems,
  applicationPage,
  applications,
  applicationsToday,
  codesUsed,
  matchingApplications,
  type ApplicationFilters,
  type ApplicationTab,
} from './applications.server.ts'
import { transfer, type One } from './deciding.server.ts'

type Paged = { page: number; pageSize: number }
type Asked = { state: ApplicationTab } & ApplicationFilters & Paged
type Of<C extends string> = {
  queue: Application['queue']
  /** The right to decide: whoever has it may be handed one. */
  decides: string
  codes: readonly C[]
  /** A line in the log of an application, of who holds it. */
  log: (
    context: WriteContext,
    task: Application,
    entry: { before: object | null; after: object },
  ) => void
  /** Where somebody finds the application that they were handed. */
  address: (title: string) => string
}

/** The handlers by which a queue of applications is read, claimed and handed on. */
export const queueHandlers = <C extends string>({ queue, decides, codes, log, address }: Of<C>) => {
  const noteClaim = (
    context: WriteContext,
    task: Application,
    before: number | null,
    after: number | null,
  ) =>
    log(context, task, {
      before: before === null ? null : { claimed_by: before },
      after: { claimed_by: after },
    })
  return {
    lst: (input: Asked, { db, staff, now }: ReadContext) =>
      applicationPage(db, queue, input, { staff, now }),
    counts: (filters: ApplicationFilters, { db, staff, now }: ReadContext) =>
      applicationCounts(db, queue, filters, { staff, now }),
    today: (_: object, { db, staff, now }: ReadContext) =>
      applicationsToday(db, queue, staff.id, now),
    reasons: async (_: object, { db, now }: ReadContext) => {
      const used = await codesUsed(db, queue, now)
      return { codes: codes.toSorted((a, b) => (used[b] ?? 0) - (used[a] ?? 0)) }
    },
    auditors: (asked: Paged & { keyword?: string | undefined }, { db }: ReadContext) =>
      auditorsPage(db, asked, decides),
    claim: async ({ id }: { id: number }, context: WriteContext) => {
      const task = await applications.claim(context, queue, id)
      noteClaim(context, task, null, context.staff.id)
      return { id, claim_until: task.claim_until!, version: task.version }
    },
    claimNext: async (filters: ApplicationFilters, context: WriteContext) => {
      const { tx, staff, now } = context
      const matching = matchingApplications(filters, now)
      const tasks = await applications.claimNext(context, queue, 1, matching)
      for (const task of tasks) noteClaim(context, task, null, staff.id)
      return { tasks: await applicationItems(tx, tasks, now) }
    },
    unclaim: ({ ids }: { ids: number[] }, context: WriteContext) =>
      eachRow(context, ids, async (row, id) => {
        const task = await applications.unclaim(row, queue, id)
        noteClaim(row, task, row.staff.id, null)
      }),
    beat: async ({ id }: { id: number }, { tx, staff, now }: WriteContext) =>
      applications.beat(tx, await applications.readTask(tx, queue, id, staff), staff, now),
    transfer: async (
      { admin_id, reason, ...one }: One & { admin_id: number; reason: string },
      context: WriteContext,
    ) => {
      const people = await auditorsWho(context.tx, decides)
      const next = people.find(person => person.id === admin_id)
      if (!next) throw ruled('not_auditor', ['对方不能审核此队列', 'They may not decide here'])
      return transfer(context, queue, one, { next, reason, address })
    },
  }
}
/** Several rows as they were read: the version of each by its id. */
export const versionsOf = (tasks: readonly One[]): ReadonlyMap<number, number> =>
  new Map(tasks.map(task => [task.id, task.version]))
