import { and, desc, inArray } from 'drizzle-orm'
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
  sameAbout,
} from '#src/areas/application/applications.server.ts'
import { noteApplication } from '#src/areas/application/deciding.server.ts'
import { missingProofs, proofs } from '#src/areas/merchant/merchant.ts'
import { say, type Text } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { faultless, unlessTaken } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { merchants, type Merchant } from './merchants.ts'
import type { Store } from './storeRows.ts'

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
  row: Merchant,
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
    const after = await applications.change(tx, 'resubmit', open, again, staff.id, now)
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
  await enqueue(context, was, {
    kind: 'merchant',
    title: was.name,
    snapshot: bodyOf(was),
    changed: allFields,
  })
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
    title: next.name ?? was.name,
    snapshot: Object.fromEntries(changed.map(field => [field, next[field]])),
    changed,
  })
}

/** Takes back what a merchant, or one of its stores, applies for, whoever has claimed it. */
export const withdrawOpen = async (context: WriteContext, about: About): Promise<Application> => {
  const { tx, staff, now, log } = context
  const open = await openAbout(tx, about)
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
  return after
}
