import { and, desc, eq, inArray } from 'drizzle-orm'
import { application, type Application } from '#src/areas/application/application.table.ts'
import {
  SLA_S,
  agreedFields,
  allFields,
  changedOf,
  kindOfChange,
  openStates,
  type ApplicationBody,
} from '#src/areas/application/application.ts'
import {
  applications,
  bodyOf,
  categoriesOf,
  judgeApplication,
} from '#src/areas/application/applications.server.ts'
import { noteApplication } from '#src/areas/application/deciding.server.ts'
import { missingProofs, proofs } from '#src/areas/merchant/merchant.ts'
import { say, type Text } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { faultless, unlessTaken } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { merchants, type Merchant } from './merchants.ts'

/** What a merchant applies for and nobody has finally decided. */
export const openOf = async (db: Db, merchant_id: number): Promise<Application | undefined> =>
  (
    await db
      .select()
      .from(application)
      .where(
        and(
          eq(application.queue, 'shop'),
          eq(application.merchant_id, merchant_id),
          inArray(application.state, openStates),
        ),
      )
  )[0]
const waiting = () =>
  ruled('in_audit', [
    '该商户已有待审核的申请，审核结束后再提交',
    'It has an application in audit: submit after that',
  ])

type Asked = Pick<Application, 'kind' | 'snapshot' | 'changed'>
/** Puts what a merchant asks for into the queue: again where more was asked for, or as a new row. */
const enqueue = async (
  { tx, staff, now, log }: WriteContext,
  row: Merchant,
  asked: Asked,
): Promise<Application> => {
  const due = { ...row, status: asked.kind === 'merchant' ? ('auditing' as const) : row.status }
  const { found } = await judgeApplication(tx, asked, due, now)
  const values = {
    ...asked,
    title: asked.snapshot.name ?? row.name,
    flags: found.filter(({ level }) => level !== 'warn').map(({ rule }) => rule),
    submitted_at: now,
    submitted_by: staff.id,
    sla_at: now + SLA_S,
    state: 'pending' as const,
  }
  const open = await openOf(tx, row.id)
  if (open && open.state !== 'need_more') throw waiting()
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
    const after = await applications.change(tx, 'resubmit', open, again, staff.id, now)
    noteApplication({ log }, open, after, { after: { round: after.round } })
    return after
  }
  const [last] = await tx
    .select()
    .from(application)
    .where(and(eq(application.queue, 'shop'), eq(application.merchant_id, row.id)))
    .orderBy(desc(application.id))
    .limit(1)
  const isAgain = last?.state === 'rejected' && last.kind === asked.kind
  const made = tx
    .insert(application)
    .values({
      ...values,
      queue: 'shop',
      merchant_id: row.id,
      city_id: row.city_id,
      owner_id: row.bd_admin_id,
      ...(isAgain && { last_snapshot: last.snapshot, round: last.round + 1 }),
    })
    .returning()
  const [after] = await unlessTaken(made.execute(), waiting)
  noteApplication({ log }, null, after!)
  return after!
}

/** Submits a draft as it stands; it is in audit from then on. */
export const submitDraft = async (context: WriteContext, was: Merchant): Promise<Merchant> => {
  const { tx, staff, now } = context
  const categories = await categoriesOf(tx, was.category_ids)
  const lacks = missingProofs(
    { ...was, has_legal_id: Boolean(was.legal_id_no), has_bank_no: Boolean(was.bank_no) },
    categories.flatMap(one => one.need_licenses),
    now,
  )
  if (lacks.length > 0) {
    const names = lacks.map(proof => say(proofs[proof], staff.lang)).join('、')
    const text: Text = ['资料不全，请先补齐：{names}', 'Complete it first: {names}']
    throw ruled('incomplete', text, { names })
  }
  await enqueue(context, was, { kind: 'merchant', snapshot: bodyOf(was), changed: allFields })
  return merchants.save(context, was, { status: 'auditing', status_reason: null })
}

/** Submits what is to be otherwise of a merchant that trades; it stays as it is until then. */
export const submitChange = async (
  context: WriteContext,
  was: Merchant,
  next: ApplicationBody,
): Promise<Application> => {
  const changed = changedOf(bodyOf(was), next)
  const agreed: Text = ['合同约定的内容由续约修改', 'What was agreed is changed by a renewal']
  faultless(
    context.staff,
    Object.fromEntries(
      agreedFields.filter(field => changed.includes(field)).map(field => [field, agreed]),
    ),
  )
  if (changed.length === 0)
    throw invalid({ name: say(['没有修改任何内容', 'Nothing was changed'], context.staff.lang) })
  return enqueue(context, was, {
    kind: kindOfChange(changed),
    snapshot: Object.fromEntries(changed.map(field => [field, next[field]])),
    changed,
  })
}

/** Takes back what a merchant applies for, whoever has claimed it. */
export const withdrawOpen = async (context: WriteContext, row: Merchant): Promise<void> => {
  const { tx, staff, now, log } = context
  const open = await openOf(tx, row.id)
  const refusal = open && applications.whyNot('withdraw', open, undefined, staff.id, now)
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
  const after = await applications.change(
    tx,
    'withdraw',
    open,
    set,
    open.claimed_by ?? staff.id,
    now,
  )
  noteApplication({ log }, open, after)
}
