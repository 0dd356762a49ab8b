import { eq } from 'drizzle-orm'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds, insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { application } from './application.table.ts'
import {
  SLA_S,
  allFields,
  changedOf,
  kindOfChange,
  type ApplicationBody,
  type RefuseCode,
} from './application.ts'
import { bodyOf, judgeApplication } from './applications.server.ts'

type Row = typeof merchant.$inferSelect
type New = typeof application.$inferInsert
/** So many merchants that trade apply for a change, of each kind in turn. */
const CHANGES = 12
/** The change of which more was asked for. */
const ASKED = 5
/** The change that a colleague is deciding. */
const HELD = 3
/** So many of the newest drafts are complete. */
const DRAFTS_DONE = 3
const words: Partial<Record<RefuseCode, string>> = {
  licence: '执照照片反光，看不清有效期，请重新拍摄',
  bank: '开户行与账号不符，请上传开户许可',
  proofs: '食品经营许可证已过期，请补交有效证照',
}

/** What a merchant asks to be otherwise. */
const wished = (random: Random, row: Row, at: number, { now, trade }: World): ApplicationBody => {
  // The first change asks for the phone of another merchant.
  const phone =
    at === 0 ? trade.sellers.at(-1)!.contact_phone : `136${random.int(10_000_000, 99_999_999)}`
  const all: readonly ApplicationBody[] = [
    { contact_phone: phone },
    { contact_name: random.pick(['周敏', '吴磊', '郑洁']), contact_phone: phone },
    { license_expire_at: now + random.int(400, 3000) * DAY },
    {
      bank_kind: 'company',
      bank_holder: row.name,
      bank_name: random.pick(['招商银行', '中国银行', '工商银行']),
      bank_no: `62${random.int(10_000_000, 99_999_999)}${random.int(10_000_000, 99_999_999)}`,
    },
  ]
  return all[at % all.length]!
}
const about = (row: Row, at: number) => ({
  queue: 'shop' as const,
  merchant_id: row.id,
  title: row.name,
  city_id: row.city_id,
  owner_id: row.bd_admin_id,
  submitted_at: at,
  submitted_by: row.bd_admin_id,
  sla_at: at + SLA_S,
  created_at: at,
  // Rows that are inserted together have the same columns.
  round: 1,
  last_snapshot: null,
  asked: [],
  claimed_by: null,
  claimer_name: null,
  claimed_at: null,
  claim_until: null,
  decided_by: null,
  decider_name: null,
  decided_at: null,
  reason_code: null,
  reason: null,
})
/** New merchants wait for their first decision; every other comes for the second time. */
const newcomer = (random: Random, row: Row, at: number, now: number): New => ({
  ...about(row, now - random.int(1, 34) * HOUR),
  kind: 'merchant',
  snapshot: bodyOf(row),
  changed: allFields,
  flags: [],
  state: 'pending',
  ...(at % 2 === 1 && {
    round: 2,
    last_snapshot: { ...bodyOf(row), contact_name: '张三', license_image: '' },
  }),
})
const auditorOf = (random: Random, { people }: World) =>
  random.pick(people.filter(person => person.role === 'auditor'))
const decidedBy = (random: Random, world: World) => {
  const one = auditorOf(random, world)
  return { decided_by: one.id, decider_name: one.name }
}
/** Somebody has taken it just now. */
const heldBy = (random: Random, world: World) => {
  const one = auditorOf(random, world)
  const { now } = world
  return {
    state: 'claimed' as const,
    claimed_by: one.id,
    claimer_name: one.name,
    claimed_at: now - 60,
    claim_until: now + 240,
  }
}
const change = (random: Random, row: Row, at: number, world: World): New => {
  const { now } = world
  const snapshot = wished(random, row, at, world)
  const changed = changedOf(bodyOf(row), snapshot)
  const isDecided = at % 3 === 2
  const isAsked = at === ASKED
  const code = random.pick(['licence', 'bank', 'proofs'] as const)
  const submitted = now - (isDecided ? random.int(40, 200) : random.int(1, 30)) * HOUR
  return {
    ...about(row, submitted),
    kind: kindOfChange(changed),
    snapshot,
    changed,
    flags: [],
    state: isDecided && !isAsked ? 'rejected' : 'pending',
    ...(isDecided && {
      ...decidedBy(random, world),
      decided_at: submitted + random.int(1, 20) * HOUR,
      reason_code: code,
      reason: words[code],
    }),
    ...(at === HELD && heldBy(random, world)),
    ...(isAsked && {
      state: 'need_more',
      reason_code: null,
      asked: ['bank'],
      reason: '请补充开户许可证',
    }),
  }
}
/** A draft of which nothing is missing, so that it can be submitted. */
const complete = async (db: Db, row: Row, { now, trade }: World): Promise<void> => {
  const seller = trade.sellers[row.id - 1]!
  await db
    .update(merchant)
    .set({
      category_ids: [trade.categoryOf[seller.trade % trade.categoryOf.length]!],
      license_expire_at: null,
      licenses: row.licenses.map(one => ({ ...one, expire_at: now + 500 * DAY })),
      bank_kind: 'company',
      bank_holder: row.name,
      bank_name: '招商银行',
      bank_no: `6225880${String(100_000_000 + row.id)}`,
      contract_no: `HT${202_500_000 + row.id}`,
      contract_start_at: now,
      contract_end_at: now + 365 * DAY,
    })
    .where(eq(merchant.id, row.id))
}
const inState = (db: Db, status: Row['status']) =>
  db.select().from(merchant).where(eq(merchant.status, status)).orderBy(merchant.id)
const seedApplications = async (db: Db, random: Random, world: World): Promise<void> => {
  const { now } = world
  for (const { id, trade, status } of world.trade.sellers)
    if (status === 'auditing')
      await db
        .update(merchant)
        .set({ category_ids: [world.trade.categoryOf[trade % world.trade.categoryOf.length]!] })
        .where(eq(merchant.id, id))
  const drafts = await inState(db, 'draft')
  for (const row of drafts.slice(-DRAFTS_DONE)) await complete(db, row, world)
  const waiting = await inState(db, 'auditing')
  const trading = await inState(db, 'active')
  const made = [
    ...waiting.map((row, at) => newcomer(random.branch(`new${row.id}`), row, at, now)),
    ...trading
      .slice(0, CHANGES)
      .map((row, at) => change(random.branch(`change${row.id}`), row, at, world)),
  ]
  const rows = new Map([...waiting, ...trading].map(row => [row.id, row]))
  for (const one of made) {
    const { found } = await judgeApplication(
      db,
      { kind: one.kind, snapshot: one.snapshot, changed: one.changed },
      rows.get(one.merchant_id)!,
      now,
    )
    one.flags = found.filter(({ level }) => level !== 'warn').map(({ rule }) => rule)
  }
  await insertRows(db, application, made)
  await afterIds(db)
}

export const demo: readonly DemoStep[] = [
  { place: 54, branch: 'applications', run: seedApplications },
]
