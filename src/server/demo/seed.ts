import { sql } from 'drizzle-orm'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { flagAgain, seedOffers } from '#src/areas/audit/audits.demo.ts'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { upload } from '#src/areas/export/job.table.ts'
import { daily_stat } from '#src/areas/figures/stat.table.ts'
import { ledger_account, ledger_entry, ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { click_log } from '#src/areas/log/trace.table.ts'
import { agreement_consent, h5_visit } from '#src/areas/merchant/texts.table.ts'
import { seedPlaces, seedTrade } from '#src/areas/merchant/trade.demo.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { order_log, order_message } from '#src/areas/order/trail.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { seedPeople } from '#src/areas/people/people.demo.ts'
import { product, product_version } from '#src/areas/product/product.table.ts'
import { refund, refund_item } from '#src/areas/refund/refund.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { bookedElsewhere } from '#src/areas/settle/orderBooks.server.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { writeAttached } from './attached.ts'
import { afterIds, insertRows, makeAnew, makeIndexes } from './insert.ts'
import { drawPictures } from './pictures.ts'
import { randomFrom } from './random.ts'
import type { DemoStep, World } from './step.ts'

export type SeedOptions = {
  /** The same number, the same data (but for password hashes). */
  seed: number
  /** 1 is 60,000 orders; small databases still have every state and enough open audits. */
  scale: number
  /** Unix seconds that the data grows up to. */
  now?: number
  /**
   * The local store's folder, to draw the pictures into. Without it they are only known by name.
   */
  pictures?: string
  /** The file of code keys; without it there are batches, and no codes. */
  codeKeys?: string
  progress?: (of: { step: string; done: number; total: number }) => void
}

const files = import.meta.glob<{ demo?: readonly DemoStep[] }>('../../areas/*/*.demo.ts', {
  eager: true,
})
/** What every area adds to the places, people, merchants and offers below. */
const steps = Object.values(files)
  .flatMap(file => file.demo ?? [])
  .sort((a, b) => a.place - b.place)

/** Steps of a larger place look up what orders and money have grown by then. */
const TRADED = 100
/** What no picture has. */
const nothingSeen = { width: null, height: null, sharpness_x100: null }
/**
 * Fills an empty database with believable data, in one transaction: a start that is killed
 * meanwhile leaves nothing behind.
 */
export const seedDemo = (db: Db, options: SeedOptions): Promise<void> =>
  bookedElsewhere(() => db.transaction(tx => fill(tx, options)))

const fill = async (
  db: Db,
  { seed, scale, now = unixNow(), pictures, codeKeys, progress = () => {} }: SeedOptions,
): Promise<void> => {
  // Where every row comes from one place, asking each time whether its parent exists doubles the
  // wait; small sets, the tests' own, are asked.
  const [may] = (await db.execute<{ is_superuser: string }>(sql`show is_superuser`)).rows
  if (scale > 0.1 && may?.is_superuser === 'on')
    await db.execute(sql`set local session_replication_role = replica`)
  // A third of the usual sample tells as much of so few rows, in a quarter of the time.
  await db.execute(sql`set local default_statistics_target = 30`)
  if (scale > 0.1)
    await makeAnew(db, [
      order,
      order_item,
      order_code,
      order_log,
      verify_record,
      refund,
      refund_item,
      payment,
      shipment,
      settle_line,
      ledger_txn,
      ledger_entry,
      ledger_account,
      order_message,
      daily_stat,
      click_log,
      op_log,
      audit_task,
      product,
      product_version,
      coupon_grant,
      h5_visit,
      agreement_consent,
    ])
  const random = randomFrom(seed)
  const total = Math.round(260_000 * scale) + 6000
  let done = 0
  const step = (name: string) => progress({ step: name, done, total })
  const rows = (name: string) => (n: number) => {
    done = Math.min(total, done + n)
    step(name)
  }

  // Drawn beside: the database has most to do meanwhile.
  const drawing = drawPictures(random.branch('pictures'), pictures)
  drawing.catch(() => {})
  step('城市、商场与员工 / places and staff')
  const { cityIds, malls } = await seedPlaces(db, random.branch('places'), now)
  const people = await seedPeople(db, random.branch('people'), now, cityIds)
  step('商户与门店 / merchants and stores')
  const trade = await seedTrade(db, random.branch('trade'), { now, scale, people, cityIds, malls })
  rows('商户与门店 / merchants and stores')(2000)
  step('商品与审核 / products and audits')
  const offers = await seedOffers(db, random.branch('offers'), { trade, people, now, scale })
  rows('商品与审核 / products and audits')(4000)
  const world: World = {
    now,
    scale,
    people,
    cityIds,
    storeIds: trade.sellers.flatMap(one => one.stores.map(each => each.id)),
    trade,
    offers,
    memberCount: trade.memberCount,
    codeKeys,
    done: rows('订单、券码与退款 / orders, codes and refunds'),
  }
  const run = async (some: readonly DemoStep[]) => {
    for (const { title, branch, run: grow } of some) {
      if (title) step(title)
      await grow(db, random.branch(branch), world)
    }
  }
  await run(steps.filter(({ place }) => place <= TRADED))
  // Plans are made for what is there now, not for the empty tables of before.
  await db.execute(sql`analyze`)
  await run(steps.filter(({ place }) => place > TRADED))
  step('绘制图片 / pictures')
  await insertRows(
    db,
    upload,
    [...(await drawing), ...(await writeAttached(pictures))].map(one => ({
      ...nothingSeen,
      ...one,
      admin_id: null,
    })),
  )
  step('收尾 / finishing')
  // Some tables pay one bill with two vouchers.
  await db.execute(sql`
    with used as (select v.id, lead(v.id) over one next, lead(v.bill_cents) over one next_cents, v.bill_no, v.bill_cents from verify_record v join order_item i on i.id = v.item_id and (i.snapshot->>'per_bill_limit')::int > 1 where v.bill_no is not null and v.state = 'valid'
        window one as (partition by v.store_id, v.product_id, (v.verified_at + 28800) / 86400 order by v.id)),
      pairs as (select id, next, bill_no, greatest(bill_cents, next_cents) cents from used where next is not null and id % 3 = 0 and next % 3 > 0)
    update verify_record v set bill_no = p.bill_no, bill_cents = p.cents, bill_many = true from pairs p where v.id in (p.id, p.next)`)
  // Most are right from the start; what was changed since is counted again.
  await db.execute(sql`
    update "order" o set face_cents = i.face, begun = i.shipped or coalesce(c.used, false), used_at = v.at, deciding = o.refund_state = 'refunding' and r.order_id is not null
    from (select order_id, bool_or(shipped_qty > 0) shipped, nullif((array_agg((snapshot->>'face_cents')::bigint order by id))[1], 0) face from order_item group by 1) i
      left join (select order_id, bool_or(times_used > 0) used from order_code where state <> 'void' group by 1) c on c.order_id = i.order_id left join (select order_id, max(verified_at) at from verify_record where state = 'valid' group by 1) v on v.order_id = i.order_id
      left join (select distinct order_id from refund where state in ('applied', 'second_audit')) r on r.order_id = i.order_id
    where o.id = i.order_id and (o.face_cents, o.begun, o.used_at, o.deciding) is distinct from (i.face, i.shipped or coalesce(c.used, false), v.at, o.refund_state = 'refunding' and r.order_id is not null)`)
  await db.execute(
    sql`update product p set sold = s.n from (select i.product_id, sum(i.qty)::int n from order_item i join "order" o on o.id = i.order_id where o.paid_cents > 0 group by 1) s where s.product_id = p.id`,
  )
  await db.execute(
    sql`update product p set held = p.held + s.n, stock = p.stock + s.n from (select i.product_id, sum(i.qty)::int n from order_item i join "order" o on o.id = i.order_id where o.pay_state = 'unpaid' group by 1) s where s.product_id = p.id`,
  )
  await db.execute(
    sql`update mall m set store_count = s.n from (select mall_id, count(*)::int n from store where mall_id > 0 group by 1) s where s.mall_id = m.id`,
  )
  await afterIds(db)
  await makeIndexes(db)
  await db.execute(sql`analyze`)
  await flagAgain(db)
  progress({ step: '完成 / done', done: total, total })
}
