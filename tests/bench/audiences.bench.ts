// Audiences and portraits among a million members on PostgreSQL: the number while a rule is typed,
// an exact count, and portraits. `BENCH_MEMBERS=100000` is shorter.
import type pg from 'pg'
import { drillInto, compareAudiences } from '#src/areas/portrait/comparing.server.ts'
import { countAll } from '#src/areas/segment/counting.server.ts'
import type { Rule, RuleNode } from '#src/areas/segment/rule.ts'
import { segment } from '#src/areas/segment/segment.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { groupsServer } from '#src/modules/customer/server/groups.ts'
import type { Staff } from '#src/server/call/implement.ts'
import { everything } from '#src/server/call/scope.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { seedDemo } from '#src/server/demo/seed.ts'
import { multiply } from './multiply.ts'
import { benchPostgres } from './postgres.ts'
import { atMost, bench, median, quantile, told } from './table.ts'

const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 1_000_000)
const ORDERS = MEMBERS
/** The number while somebody types, and what a page waits for at most. */
const TYPED_MS = 300
const PORTRAIT_MS = 2000
const TIMES = 20
const RARE_TAG = 900_001

/** Members with orders, tags and contacts, made of the demo's; what no rule looks into has no index. */
const grow = async (client: pg.PoolClient): Promise<void> => {
  await client.query('set statement_timeout = 0')
  await client.query('set session_replication_role = replica')
  const { rows: dropped } = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index where indrelid = '"order"'::regclass
      and not indisprimary and indexrelid::regclass::text <> 'order_by_member'`,
  )
  for (const { name } of dropped) await client.query(`drop index ${name}`)
  await multiply(client, 'member', {
    n: MEMBERS,
    where: 'x.merged_into is null',
    made: {
      uid: `'B' || g || '-' || x.id`,
      unionid: 'null',
      inviter_id: 'null',
      growth: `(g * 7919 + x.id) % 100000`,
      last_order_at: `case when (g + x.id) % 3 = 0 then null else x.register_at + (g * 131) % 9000000 end`,
    },
  })
  const { rows } = await client.query<{ last: number }>('select max(id) as last from member')
  const last = rows[0]!.last
  await client.query('create temp table own as select max(id) id from "order"')
  await multiply(client, 'order', {
    n: ORDERS,
    where: 'x.paid_at is not null',
    made: {
      order_no: `x.order_no || '-' || g`,
      member_id: `1 + (g::bigint * 7919 + x.id * 104729) % ${last}`,
      paid_at: `x.paid_at - (g::bigint * 7877) % 31536000`,
      coupon_grant_id: 'null',
    },
  })
  await client.query(
    `insert into order_item (order_id, kind, product_id, snapshot, title, store_id, qty, price_cents, pay_cents, fulfil, created_at)
      select o.id, i.kind, i.product_id, '{}', i.title, i.store_id, i.qty, i.price_cents, i.pay_cents, i.fulfil, o.created_at
      from "order" o join order_item i on i.id = 1 + o.id % 200 where o.id > (select id from own)`,
  )
  await client.query(
    `insert into member_tag_of (member_id, tag_id, at) select id, 1 + id % 20, 1750000000 from member
      where id % 2 = 0 on conflict do nothing`,
  )
  await client.query(
    `insert into member_tag_of (member_id, tag_id, at) select id, ${RARE_TAG}, 1750000000 from member where id % 20011 = 0`,
  )
  // Seven of ten members are friends, each of one adviser.
  await client.query(
    `insert into wecom_customer (external_userid, name, member_id, matched_by, state, follow_count, synced_at)
      select 'wmBench' || m.id, '好友' || m.id, m.id, 'hand', 'following', 1, 1750000000 from member m
      where m.id % 10 < 7 and m.merged_into is null and not exists (select 1 from wecom_customer c where c.member_id = m.id)`,
  )
  await client.query(
    `insert into wecom_follow (customer_id, staff_id, tag_ids, add_way, added_at)
      select c.id, 1 + c.id % 20, array[1 + c.id % 70], 'qrcode', 1750000000 from wecom_customer c
      where c.external_userid like 'wmBench%'`,
  )
  await client.query('set session_replication_role = origin')
  await client.query('vacuum analyze')
}
const rule = (...nodes: Partial<RuleNode>[]): Rule => ({
  joins: 'all',
  nodes: nodes.map((one, at) => ({ key: at + 1, parent: null, not: false, is: 'level', ...one })),
})
const rules: Readonly<Record<string, Rule>> = {
  'a level': rule({ is: 'level', op: 'any', picks: ['3'] }),
  'a rare growth': rule({ is: 'growth', from: 99_990 }),
  'a rare tag': rule({ is: 'member_tag', op: 'any', ids: [RARE_TAG] }),
  'what was spent in 90 days': rule({ is: 'spent', days: 90, from: 50_000 }),
  'quiet, once spent much': rule(
    { is: 'last_order', op: 'before', days: 180 },
    { is: 'paid', from: 100_000 },
  ),
  'one of two places': rule(
    { is: 'any' },
    { parent: 1, is: 'city', op: 'any', ids: [1, 2] },
    { parent: 1, is: 'orders', op: 'between', days: 90, malls: [1, 2], picks: [], from: 1 },
    { is: 'last_order', op: 'within', days: 90 },
  ),
  'friends with a tag': rule(
    { is: 'friend', op: 'any', picks: ['friend'] },
    { is: 'wecom_tag', op: 'any', ids: [3] },
  ),
  'an adviser’s, not quiet': rule(
    { is: 'adviser', op: 'any', ids: [3] },
    { is: 'last_visit', op: 'before', days: 90, not: true },
  ),
  'who redeemed lately': rule({ is: 'last_use', op: 'within', days: 30 }),
  'nobody’s': rule({ is: 'points', from: 99_000_000 }),
  'thirty conditions': rule(
    ...Array.from({ length: 15 }, (_, at) => ({ is: 'growth' as const, from: at })),
    ...Array.from({ length: 15 }, (_, at) => ({
      is: 'orders' as const,
      days: 30 + at,
      from: 0,
    })),
  ),
}

await bench(`audiences of ${MEMBERS.toLocaleString('en')} members`, async note => {
  const postgres = await benchPostgres()
  const database = await openDatabase({ url: postgres.url('postgres') })
  await migrate(database)
  await seedDemo(database.db, { seed: 7, scale: 0.05 })
  const client = await database.pool.connect()
  await grow(client)
  client.release()
  const now = unixNow()
  const staff = {
    id: 1,
    scope: everything,
    lang: 'zh',
    can: () => true,
    field: () => 'show',
  } as unknown as Staff
  const timed = async (run: () => Promise<unknown>) => {
    const began = performance.now()
    await run()
    return performance.now() - began
  }
  /** What the page asks while somebody types: the number, the rule as a sentence, some people. */
  const typed = async (of: Rule): Promise<void> => {
    const { fault } = (await groupsServer.handlers.preview(
      { rule: of, exclude_ids: [] } as never,
      { db: database.db, staff, now } as never,
    )) as { fault: string | null }
    if (fault) throw new Error(fault)
  }
  for (const [what, of] of Object.entries(rules)) {
    const times: number[] = []
    for (let at = 0; at < TIMES; at++) times.push(await timed(() => typed(of)))
    note(
      atMost(`the size of ${what} while it is typed, p95`, quantile(times, 0.95), TYPED_MS, 'ms'),
      told(`the size of ${what}, p50`, median(times), 'ms'),
    )
  }
  const [row] = await database.db
    .insert(segment)
    .values({
      name: 'bench',
      kind: 'rule',
      rule: rules['a level']!,
      status: 'computing',
      counted_to: 0,
      owner_id: 1,
    })
    .returning({ id: segment.id })
  const counted = await timed(() => countAll(database, now, 1000))
  note(told('an exact count', counted / 1000, 's'))
  const asker = { staff, now }
  // The level was counted this moment: no statistics tell of its list yet.
  const portraits: Readonly<Record<string, () => Promise<unknown>>> = {
    'a portrait of everybody beside a level': () =>
      compareAudiences(database.db, { a: 0, b: row!.id, lost: false }, asker),
    'a portrait of everybody': () => compareAudiences(database.db, { a: 0, lost: false }, asker),
    'a portrait of a level': () =>
      compareAudiences(database.db, { a: row!.id, lost: false }, asker),
    'the people behind a bar of everybody': () =>
      drillInto(database.db, { segment_id: 0, lost: false, dim: 'gender', value: 'female' }, asker),
  }
  for (const [what, ask] of Object.entries(portraits)) {
    const times: number[] = []
    for (let at = 0; at < TIMES; at++) times.push(await timed(ask))
    note(
      atMost(`${what}, p95`, quantile(times, 0.95), PORTRAIT_MS, 'ms'),
      told(`${what}, p50`, median(times), 'ms'),
    )
  }
  await database.close()
  await postgres.stop()
})
