import { eq, asc } from 'drizzle-orm'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { beginRun, generateSome, type Batch } from '#src/areas/redeemCode/batches.server.ts'
import { code_batch, redeem_code } from '#src/areas/redeemCode/redeemCode.table.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'

let made = 0
const n = () => `90417${String(++made).padStart(4, '0')}`
/** A coupon of a test's own that is given out; ten yuan off, good for thirty days from its day. */
export const couponOf = async (
  { db }: Pick<Database, 'db'>,
  of: Partial<typeof coupon.$inferInsert> = {},
) => {
  const no = n()
  const now = unixNow()
  const [row] = await db
    .insert(coupon)
    .values({
      coupon_no: `RC${no}`,
      name: `兑换券${no}`,
      scope: 'local',
      kind: 'full_reduce',
      face_cents: 10_00,
      threshold_cents: 1_00,
      apply_kind: 'all',
      platform_share_bp: 7000,
      merchant_share_bp: 3000,
      apply_ids: [],
      exclude_ids: [],
      city_ids: [],
      weekdays: [],
      level_ids: [],
      total: 1000,
      claim_kind: 'code',
      claim_start_at: now - DAY,
      claim_end_at: now + DAY,
      valid_kind: 'days_after',
      valid_days: 30,
      status: 'active',
      ...of,
    })
    .returning()
  return row!
}
/** Members of a test's own, each with a phone of their own. */
export const membersOf = ({ db }: Pick<Database, 'db'>, count = 1) =>
  db
    .insert(member)
    .values(
      Array.from({ length: count }, () => {
        const no = n()
        return {
          uid: `rc-${no}`,
          nickname: `会员${no}`,
          phone: `199${no.slice(-8).padStart(8, '0')}`,
          city_id: 1,
          register_at: unixNow() - DAY,
        }
      }),
    )
    .returning()
const signs = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
/** A prefix that no batch has. */
export const prefixOf = (): string => {
  let at = ++made
  let text = ''
  for (let left = 4; left > 0; left--) {
    text = signs[at % signs.length] + text
    at = Math.floor(at / signs.length)
  }
  return `TT${text}`
}
/** A batch that runs, of `codes` codes; it gives ten points unless said otherwise. */
export const batchOf = async (
  database: Database,
  app: { install: Pick<App['install'], 'codeKeys'> },
  {
    codes = 1,
    created_by,
    ...of
  }: Partial<typeof code_batch.$inferInsert> & { codes?: number; created_by: number },
): Promise<{ batch: Batch; codes: string[] }> => {
  const { db } = database
  const now = unixNow()
  const [batch] = await db
    .insert(code_batch)
    .values({
      name: `批次${n()}`,
      partner: `合作方${n()}`,
      code_kind: 'once',
      alphabet: 'mixed',
      length: 18,
      prefix: prefixOf(),
      quantity: Math.max(1, codes),
      start_at: now - DAY,
      end_at: now + 10 * DAY,
      bearer: 'platform',
      points: of.coupon_ids ? 0 : 10,
      budget_cents: 100_000_00,
      status: 'running',
      created_by,
      ...of,
    })
    .returning()
  const sealer = await sealerOf(app.install.codeKeys, db)
  if (codes > 0)
    await database.transaction(async tx => {
      const run = await beginRun(tx, {
        batch_id: batch!.id,
        kind: 'generate',
        qty: codes,
        admin_id: created_by,
      })
      await tx.update(code_batch).set({ status: 'running' }).where(eq(code_batch.id, batch!.id))
      await generateSome(tx, sealer, { batch_id: batch!.id, run_no: run.run_no, n: codes, now })
      await tx.update(code_batch).set({ status: batch!.status }).where(eq(code_batch.id, batch!.id))
    })
  const rows = await db
    .select()
    .from(redeem_code)
    .where(eq(redeem_code.batch_id, batch!.id))
    .orderBy(asc(redeem_code.seq))
  const [now_] = await db.select().from(code_batch).where(eq(code_batch.id, batch!.id))
  return { batch: now_!, codes: rows.map(row => sealer.open(row.code_sealed, row.code_hash)) }
}
/** What the form of a batch sends: a hundred codes of ten points. */
export const formOf = (more: object = {}) => ({
  name: '银行周三礼',
  partner: '某银行',
  contract_no: '',
  code_kind: 'once',
  alphabet: 'mixed',
  length: 16,
  prefix: prefixOf(),
  quantity: 100,
  start_at: unixNow(),
  end_at: unixNow() + 30 * DAY,
  use_limit: null,
  limit_member: null,
  limit_phone: null,
  limit_device: null,
  new_only: false,
  mall_ids: [],
  bearer: 'platform',
  coupon_ids: [],
  points: 10,
  points_days: 365,
  goods: '',
  goods_cents: 0,
  vip_card_id: null,
  vip_days: 0,
  ecard_attr_id: null,
  budget_cents: 1_000_000,
  note: '',
  ...more,
})
