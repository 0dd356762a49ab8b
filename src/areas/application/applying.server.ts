/** How what a merchant or a store applies for comes into the queue, and out of it again. */
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { application, type Application } from './application.table.ts'
import { openStates, SLA_S, type RefuseCode } from './application.ts'
import { applications, judgeApplication, sameAbout } from './applications.server.ts'
import { noteApplication } from './deciding.server.ts'

type Store = typeof store.$inferSelect
type About = Pick<Application, 'merchant_id' | 'store_id'>
const aboutIt = (about: About) => sameAbout({ queue: 'shop', ...about })
/** What a merchant, or one of its stores, applies for and nobody has finally decided. */
export const openAbout = async (db: Db, about: About): Promise<Application | undefined> =>
  (
    await db
      .select()
      .from(application)
      .where(and(aboutIt(about), inArray(application.state, openStates)))
  )[0]
const HISTORY_MOST = 50
/** What was applied for of a store, the newest first, as its page lists it. */
export const historyOf = async (db: Db, store_id: number) => {
  const found = await db
    .select({ task: application, submitter: admin.name })
    .from(application)
    .leftJoin(admin, eq(admin.id, application.submitted_by))
    .where(eq(application.store_id, store_id))
    .orderBy(desc(application.id))
    .limit(HISTORY_MOST)
  return found.map(({ task, submitter }) => ({
    ...task,
    submitter_name: submitter ?? '',
    decider_name: task.decider_name ?? '',
    reason_code: task.reason_code as RefuseCode | null,
    reason: task.reason ?? '',
  }))
}
export const openOf = (db: Db, merchant_id: number): Promise<Application | undefined> =>
  openAbout(db, { merchant_id, store_id: null })
const waiting = (about: About) =>
  ruled(
    'in_audit',
    about.store_id === null
      ? [
          '该商户已有待审核的申请，审核结束后再提交',
          'It has an application in audit: submit after that',
        ]
      : [
          '该门店已有待审核的申请，审核结束后再提交',
          'The store has an application in audit: submit after that',
        ],
  )

type Asked = Pick<Application, 'kind' | 'snapshot' | 'changed' | 'title'> & {
  /** The store that it is about, where it is about one. */
  of?: Pick<Store, 'id' | 'city_id'>
}
/** Puts what a merchant asks for into the queue: again where more was asked for, or as a new row. */
export const enqueue = async (
  { tx, staff, now, log }: WriteContext,
  row: typeof merchant.$inferSelect,
  { of, ...asked }: Asked,
): Promise<Application> => {
  const due = { ...row, status: asked.kind === 'merchant' ? ('auditing' as const) : row.status }
  const about = { merchant_id: row.id, store_id: of?.id ?? null }
  const { found } = await judgeApplication(tx, { ...asked, ...about }, due, now)
  const values = {
    ...asked,
    flags: found.filter(({ level }) => level !== 'warn').map(({ rule }) => rule),
    submitted_at: now,
    submitted_by: staff.id,
    sla_at: now + SLA_S,
    state: 'pending' as const,
  }
  const open = await openAbout(tx, about)
  if (open && open.state !== 'need_more') throw waiting(about)
  if (open) {
    const again = {
      ...values,
      last_snapshot: open.snapshot,
      round: open.round + 1,
      decided_by: null,
      decider_name: null,
      decided_at: null,
      reason: null,
      asked: [],
    }
    const after = await applications.change({ tx, staff, now }, 'resubmit', open, again)
    noteApplication({ log }, open, after, { after: { round: after.round } })
    return after
  }
  const [last] = await tx
    .select()
    .from(application)
    .where(aboutIt(about))
    .orderBy(desc(application.id))
    .limit(1)
  const isAgain = last?.state === 'rejected' && last.kind === asked.kind
  const made = tx
    .insert(application)
    .values({
      ...values,
      queue: 'shop',
      ...about,
      city_id: of?.city_id ?? row.city_id,
      owner_id: row.bd_admin_id,
      ...(isAgain && { last_snapshot: last.snapshot, round: last.round + 1 }),
    })
    .returning()
  const [after] = await unlessTaken(made.execute(), () => waiting(about))
  noteApplication({ log }, null, after!)
  return after!
}

/** Takes back what a merchant, or one of its stores, applies for, whoever has claimed it. */
export const withdrawOpen = async (context: WriteContext, about: About): Promise<Application> => {
  const { tx, staff, now, log } = context
  const open = await openAbout(tx, about)
  const refusal = open && applications.whyNot('withdraw', open, undefined, context)
  if (!open || refusal)
    throw refusal ?? ruled('wrong_state', ['没有审核中的申请', 'It applies for nothing'])
  const set = {
    state: 'withdrawn' as const,
    claimed_by: null,
    claimer_name: null,
    claim_until: null,
    decided_at: now,
  }
  // The holder of a claim stands in the guard: a withdrawal goes before it.
  const holder = { id: open.claimed_by ?? staff.id }
  const after = await applications.change({ tx, staff: holder, now }, 'withdraw', open, set)
  noteApplication({ log }, open, after)
  return after
}
