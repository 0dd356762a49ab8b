import { eq } from 'drizzle-orm'
import { UNDO_SECONDS, type AuditVerb } from '#src/areas/audit/audit.ts'
import { led, mine } from '#src/areas/audit/claiming.server.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { tellPeople } from '#src/areas/message/message.server.ts'
import type { MessageKind } from '#src/areas/message/message.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import type { Application } from './application.table.ts'
import { applications } from './applications.server.ts'

type Queue = Application['queue']
/** An application as somebody read it. */
export type One = { id: number; version: number }
type Merchant = typeof merchant.$inferSelect

/** An application in the operation log. */
export const noteApplication = (
  { log }: Pick<WriteContext, 'log'>,
  was: Application | null,
  after: Application,
  more: { reason?: string; after?: object } = {},
): void =>
  log({
    object_type: 'application',
    object_id: after.id,
    object_label: after.title.slice(0, 64),
    before: was && { state: was.state, version: was.version },
    after: {
      state: after.state,
      version: after.version,
      ...(was === null && { kind: after.kind, changed: after.changed }),
      ...(after.reason_code && { reason_code: after.reason_code }),
      ...more.after,
    },
    ...(more.reason && { reason: more.reason }),
  })

/** The application as it stands, and its merchant, held: decisions about one merchant wait for each other. */
const held = async (
  { tx, staff }: WriteContext,
  queue: Queue,
  id: number,
): Promise<{ task: Application; row: Merchant }> => {
  const found = await applications.readTask(tx, queue, id, staff)
  const [row] = await tx
    .select()
    .from(merchant)
    .where(eq(merchant.id, found.merchant_id))
    .for('update')
  // Read again: whoever held the merchant before may have decided it.
  return { task: await applications.readTask(tx, queue, id, staff), row: row! }
}
/** The same, as the person read it, where the verb may be done. */
export const opened = async (
  context: WriteContext,
  queue: Queue,
  verb: AuditVerb,
  { id, version }: One,
): Promise<{ task: Application; row: Merchant }> => {
  const of = await held(context, queue, id)
  const refusal = applications.whyNot(verb, of.task, version, context)
  if (refusal) throw refusal
  return of
}
/** What a decision answers. */
export const answered = (task: Application, now: number) => ({
  id: task.id,
  state: task.state,
  version: task.version,
  undo_until: now + UNDO_SECONDS,
})
type Change = Parameters<typeof applications.change>[3]
/** Writes a decision and who made it; what it led to is in `set`. */
export const decide = (
  { tx, staff, now }: WriteContext,
  verb: 'approve' | 'reject' | 'askMore',
  task: Application,
  set: Change,
): Promise<Application> =>
  applications.change({ tx, staff, now }, verb, task, {
    ...led(verb, task, { staff, now }),
    claimer_name: null,
    decided_by: staff.id,
    decider_name: staff.name,
    decided_at: now,
    ...set,
  })
/** Whoever brought the merchant, and whoever submitted for it, hears what became of it. */
export const tellApplied = async (
  { tx, staff, changed }: WriteContext,
  kind: MessageKind,
  task: Application,
  { why, address }: { why: string; address: string },
): Promise<void> => {
  await tellPeople(tx, {
    to: [task.owner_id, task.submitted_by],
    by: staff.id,
    kind,
    about: `application:${task.id}:${task.version}`,
    facts: { of: task.title, why },
    address,
  })
  changed('message')
}

const undoText = {
  none: ['没有可撤销的决定', 'There is no decision to take back'],
  notMine: ['不是你的决定', 'Not your decision'],
  late: ['超过 10 分钟，不能撤销', 'More than 10 minutes ago'],
  changed: ['之后又有变化，不能撤销', 'It changed since'],
} as const
/** Refuses to take back what something was built on since. */
export const builtOn = () => ruled('changed', undoText.changed)
/**
 * Takes my own last decision back, within minutes: `put` puts back what it did, or refuses; the
 * application is mine again.
 */
export const takeBack = async (
  context: WriteContext,
  queue: Queue,
  id: number,
  put: (of: {
    task: Application
    row: Merchant
    was: NonNullable<Application['undo']>
    at: number
  }) => Promise<void>,
): Promise<void> => {
  const { tx, staff, now } = context
  const { task, row } = await held(context, queue, id)
  const was = task.undo
  const isDecided = task.state === 'approved' || task.state === 'rejected'
  if (!was || !isDecided || task.decided_at === null) throw ruled('no_decision', undoText.none)
  if (task.decided_by !== staff.id) throw ruled('not_mine', undoText.notMine)
  if (task.decided_at + UNDO_SECONDS < now) throw ruled('too_late', undoText.late)
  await put({ task, row, was, at: task.decided_at })
  const after = await applications.change({ tx, staff, now }, 'claim', task, {
    ...mine(staff, now),
    state: 'claimed',
    decided_by: null,
    decider_name: null,
    decided_at: null,
    reason_code: null,
    reason: null,
    replaced: null,
    undo: null,
  })
  noteApplication(context, task, after, { after: { undone: task.state } })
}

/** Hands an application, with its claim, to a colleague who may decide it. */
export const transfer = async (
  context: WriteContext,
  queue: Queue,
  one: One,
  {
    next,
    reason,
    address,
  }: { next: { id: number; name: string }; reason: string; address: (title: string) => string },
) => {
  const { tx, staff, now, changed } = context
  const { task } = await opened(context, queue, 'transfer', one)
  if (task.submitted_by === next.id || task.owner_id === next.id)
    throw ruled('not_theirs', ['{who}不能审核此申请', '{who} may not decide this one'], {
      who: next.name,
    })
  const after = await applications.change({ tx, staff, now }, 'transfer', task, {
    ...led('transfer', task, { staff: next, now }),
    claimer_name: next.name,
    claimed_at: now,
  })
  noteApplication(context, task, after, { reason, after: { claimed_by: next.id } })
  await tellPeople(tx, {
    to: [next.id],
    by: staff.id,
    kind: 'audit_asked',
    about: `application:${after.id}:${after.version}`,
    facts: { of: after.title, why: reason },
    address: address(after.title),
  })
  changed('message')
  return { id: after.id, version: after.version, claim_until: after.claim_until! }
}
