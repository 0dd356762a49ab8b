import { sql } from 'drizzle-orm'
import { sized } from '#src/areas/merchant/trade.demo.ts'
import { DAY, dateOf, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { makeCorp, type Corp, type Matchable } from './corp.demo.ts'
import { corpBodies } from './corpBodies.demo.ts'
import {
  makeGroups,
  makeMembers,
  makeTransfers,
  type CorpGroup,
  type CorpMember,
} from './corpGroups.demo.ts'
import { seedGivenUp } from './givenUp.demo.ts'
import { matchByUnionid } from './matching.server.ts'
import { placeStaff } from './places.server.ts'
import { recountCustomers, recountStaff } from './relations.server.ts'
import type { TagRule } from './tagging.ts'
import {
  wecom_customer,
  wecom_department,
  wecom_department_mall,
  wecom_follow,
  wecom_follow_event,
  wecom_staff,
  wecom_tag,
  wecom_tag_group,
} from './wecom.table.ts'
import { faultOfCode, keptWords } from './wecomFault.ts'
import { wecom_group, wecom_group_member, wecom_group_move } from './wecomGroup.table.ts'
import { wecom_corp_object } from './wecomPort.table.ts'
import { wecom_tag_given } from './wecomTag.table.ts'
import {
  wecom_change,
  wecom_note,
  wecom_sync,
  wecom_task,
  wecom_transfer,
} from './wecomWork.table.ts'

/** Five malls of several cities, that are open. */
const mallsOf = async (db: Db) =>
  (
    await db.execute<{ id: number; name: string }>(sql`
      (select id, name from mall where status = 'online' and city_id = 1 order by id limit 2)
      union all (select id, name from (select distinct on (city_id) id, name, city_id from mall
        where status = 'online' and city_id > 1 order by city_id, id) m order by city_id limit 3)`)
  ).rows
/** Members whose unionid WeCom knows too. */
const membersOf = async (db: Db, most: number) =>
  (
    await db.execute<Matchable>(sql`
      select id, unionid, phone, nickname from member
      where unionid is not null and account_state = 'normal' order by id desc limit ${most}`)
  ).rows

const seedDirectory = async (db: Db, { departments, staff }: Corp, { now }: World) => {
  const idOf = new Map(departments.map((one, at) => [one.dept_id, at + 1]))
  const userOf = (dept_id: number) =>
    staff.find(one => one.department === dept_id && one.status === 'active')?.userid
  await insertRows(
    db,
    wecom_department,
    departments.map((one, at) => ({
      id: at + 1,
      dept_id: one.dept_id,
      parent_id: one.parent === null ? null : idOf.get(one.parent)!,
      name: one.name,
      sort: one.sort,
      leader_userids: userOf(one.dept_id) ? [userOf(one.dept_id)!] : [],
      receive: one.name === '导购二组' ? ('some' as const) : ('all' as const),
      receive_userids: one.name === '导购二组' && userOf(one.dept_id) ? [userOf(one.dept_id)!] : [],
      is_deleted: one.is_gone === true,
      deleted_at: one.is_gone ? now - 20 * DAY : null,
      synced_at: one.is_gone ? now - 20 * DAY : now - 6 * HOUR,
      created_at: now - 300 * DAY,
    })),
  )
  await insertRows(
    db,
    wecom_staff,
    staff.map(one => ({
      id: one.id,
      userid: one.userid,
      name: one.name,
      position: one.position,
      department_ids: [one.department],
      main_department: one.department,
      admin_id: one.admin_id,
      status: one.status,
      is_verified: one.status === 'active',
      has_contact_right: one.contact,
      has_group_right: one.contact,
      daily_add_cap: one.daily_add_cap,
      reply_rate_bp: one.reply_rate_bp,
      left_at: one.left_at,
      synced_at: now - 6 * HOUR,
      created_at: now - 300 * DAY,
    })),
  )
  return idOf
}
/** Rules of all kinds, one of them off. */
const ruleOf = (id: number): TagRule => {
  const all: readonly TagRule[] = [
    { kind: 'spend', on: true, min_cents: 50_000 },
    { kind: 'verify', on: true },
    { kind: 'visit', on: true },
    { kind: 'join', on: true },
    { kind: 'keyword', on: true, words: ['停车', '亲子'] },
    { kind: 'spend', on: false, min_cents: 200_000 },
  ]
  return all[id % all.length]!
}
const seedTags = async (db: Db, { tagGroups }: Corp, { now }: World) => {
  const created_at = now - 280 * DAY
  await insertRows(
    db,
    wecom_tag_group,
    tagGroups.map(({ tags: _, ...group }) => ({ ...group, sort: 1000 - group.id, created_at })),
  )
  await insertRows(
    db,
    wecom_tag,
    tagGroups.flatMap(group =>
      group.tags.map(({ valid, auto, ...tag }) => ({
        ...tag,
        group_id: group.id,
        sort: 1000 - tag.id,
        auto_rule: auto ? ruleOf(tag.id) : null,
        rule_seen_at: auto ? now : null,
        status: valid ? ('active' as const) : ('invalid' as const),
        created_at,
      })),
    ),
  )
}
/** When relations got their tags: the older the relation, the longer ago. */
const seedGiven = (db: Db, { follows }: Corp, { now }: World): Promise<void> =>
  insertRows(
    db,
    wecom_tag_given,
    follows.flatMap(one =>
      one.tag_ids.map(tag_id => ({
        follow_id: one.id,
        tag_id,
        at: one.id % 5 === 0 ? now - ((one.id + tag_id) % 29) * DAY : one.added_at,
      })),
    ),
  )
const seedCustomers = async (db: Db, { customers, follows }: Corp, { now }: World) => {
  await insertRows(
    db,
    wecom_customer,
    customers.map(one => ({
      ...one,
      matched_by: one.member_id === null ? null : ('unionid' as const),
      state: 'lost' as const,
      // Some were not read from WeCom for more than a day.
      synced_at: one.id % 40 === 5 ? now - 3 * DAY : now - 6 * HOUR,
      created_at: now - 200 * DAY,
    })),
  )
  await insertRows(
    db,
    wecom_follow,
    follows.map(({ phones, ...one }) => ({
      ...one,
      remark_phones: phones,
      created_at: one.added_at,
    })),
  )
  const ends = {
    deleted_by_customer: 'del_customer',
    deleted_by_staff: 'del_staff',
    transferred: 'transfer',
  } as const
  await insertRows(
    db,
    wecom_follow_event,
    follows.flatMap(({ customer_id, staff_id, added_at, lost_at, status }) => [
      { customer_id, staff_id, kind: 'add' as const, at: added_at },
      ...(status === 'following'
        ? []
        : [{ customer_id, staff_id, kind: ends[status], at: lost_at! }]),
    ]),
  )
  await recountCustomers(
    db,
    customers.map(one => one.id),
  )
  // One has the unionid of a member that another customer has already.
  await matchByUnionid(db)
}
const seedGroups = async (
  db: Db,
  groups: readonly CorpGroup[],
  members: readonly CorpMember[],
  { now }: World,
) => {
  await insertRows(
    db,
    wecom_group,
    groups.map(one => ({
      ...one,
      admin_userids: [],
      synced_at: now - 6 * HOUR,
      created_at: one.opened_at,
    })),
  )
  await insertRows(db, wecom_group_member, [...members])
  await insertRows(
    db,
    wecom_group_move,
    members.flatMap(({ group_id, userid, join_scene: scene, joined_at, left_at }) => [
      { group_id, userid, scene, kind: 'join' as const, day: dateOf(joined_at), at: joined_at },
      ...(left_at
        ? [{ group_id, userid, scene, kind: 'leave' as const, day: dateOf(left_at), at: left_at }]
        : []),
    ]),
  )
  await db.execute(sql`
    update wecom_group g set member_count = n.n, staff_count = n.staff from (
      select group_id, count(*)::int n, (count(*) filter (where kind = 'staff'))::int staff
      from wecom_group_member where left_at is null group by group_id) n where n.group_id = g.id`)
  await db.execute(sql`
    update wecom_customer c set group_count = n.n from (
      select customer_id, count(*)::int n from wecom_group_member
      where left_at is null and customer_id is not null group by customer_id) n
    where n.customer_id = c.id`)
}
/** Runs of the past, with what they found; and one that WeCom refused. */
const seedRuns = async (
  db: Db,
  { idOf, leaver }: { idOf: ReadonlyMap<number, number>; leaver: string },
  { now }: World,
) => {
  const run = (kind: 'contacts' | 'customers' | 'groups', ago: number, read_n: number) => ({
    kind,
    state: 'done' as const,
    read_n,
    errcode: 0,
    error: '',
    changed_n: kind === 'contacts' ? 3 : 20,
    started_at: now - ago,
    finished_at: now - ago + 95,
    created_at: now - ago,
  })
  await insertRows(db, wecom_sync, [
    run('contacts', 20 * DAY, 87),
    {
      ...run('contacts', 2 * DAY, 0),
      state: 'failed',
      errcode: 60020,
      error: keptWords(faultOfCode(60020).text),
      changed_n: 0,
    },
    run('contacts', 6 * HOUR, 86),
    run('customers', 6 * HOUR, 3200),
    run('groups', 6 * HOUR, 45),
  ])
  await insertRows(db, wecom_change, [
    {
      sync_id: 1,
      object: 'department',
      object_id: idOf.get(6)!,
      name: '城南快闪店',
      kind: 'removed',
      was: '',
      now: '',
      at: now - 20 * DAY,
    },
    {
      sync_id: 3,
      object: 'department',
      object_id: idOf.get(5)!,
      name: '社群运营组',
      kind: 'renamed',
      was: '社群组',
      now: '社群运营组',
      at: now - 6 * HOUR,
    },
    {
      sync_id: 3,
      object: 'department',
      object_id: idOf.get(13)!,
      name: '导购二组',
      kind: 'added',
      was: '',
      now: '',
      at: now - 6 * HOUR,
    },
    {
      sync_id: 3,
      object: 'staff',
      object_id: 58,
      name: leaver,
      kind: 'state',
      was: 'active',
      now: 'left',
      at: now - 6 * HOUR,
    },
  ])
}
const seedNotes = async (db: Db, corp: Corp, { now, people }: World) =>
  insertRows(
    db,
    wecom_note,
    corp.customers
      .filter(one => one.id % 11 === 2)
      .map((one, n) => ({
        customer_id: one.id,
        content:
          n % 2 === 0
            ? '电话沟通，周末会带孩子到店，已提醒会员日。'
            : '反馈停车券未到账，已补发并致歉。',
        next_at: n % 3 === 0 ? now + (n % 9) * DAY + HOUR : null,
        by_id: people[n % 5]!.id,
        at: now - (n % 60) * DAY - HOUR,
      })),
  )

const seed = async (db: Db, random: Random, world: World): Promise<void> => {
  const { now, scale, people } = world
  const malls = await mallsOf(db)
  const count = sized(3200, scale, 240)
  const members = await membersOf(db, count)
  const admins = people.filter(one => one.status === 'active').map(one => one.id)
  const corp = makeCorp(random.branch('corp'), { now, customers: count, malls, members, admins })
  const chats = sized(45, scale, 15)
  const groups = makeGroups(random.branch('groups'), { now, count: chats, malls }, corp)
  const inGroups = makeMembers(
    random.branch('members'),
    { now, rows: sized(6800, scale, 1100) },
    { corp, groups },
  )
  const transfers = makeTransfers(random.branch('transfers'), { now, count: 120 }, corp)
  const idOf = await seedDirectory(db, corp, world)
  await insertRows(db, wecom_department_mall, [
    ...malls.map((mall, at) => ({
      department_id: idOf.get(10 + at * 10)!,
      mall_id: mall.id,
      priority: 1,
      created_at: now - 200 * DAY,
    })),
    // Two serve one mall: the house's own desk comes second.
    {
      department_id: idOf.get(5)!,
      mall_id: malls[0]!.id,
      priority: 2,
      created_at: now - 100 * DAY,
    },
  ])
  await placeStaff(db)
  await seedTags(db, corp, world)
  await seedCustomers(db, corp, world)
  await recountStaff(
    db,
    corp.staff.map(one => one.id),
  )
  await seedGroups(db, groups, inGroups, world)
  await insertRows(
    db,
    wecom_transfer,
    transfers.map(one => ({ ...one, asked_by: people[0]!.id })),
  )
  await insertRows(
    db,
    wecom_corp_object,
    corpBodies(corp, { groups, members: inGroups, transfers }),
  )
  const leaver = corp.staff.find(one => one.id === 58)?.name ?? ''
  await seedRuns(db, { idOf, leaver }, world)
  await seedNotes(db, corp, world)
  await seedGiven(db, corp, world)
  // Whoever looks at it may write it again: the adviser is in service.
  const able = new Set(
    corp.staff.filter(one => one.status === 'active' && one.contact).map(one => one.id),
  )
  await seedGivenUp(db, corp, world)
  const refused = corp.follows.find(one => one.status === 'following' && able.has(one.staff_id))!
  await insertRows(db, wecom_task, [
    {
      kind: 'remark',
      customer_id: refused.customer_id,
      follow_id: refused.id,
      staff_id: refused.staff_id,
      body: { remark: '王女士（停车券）' },
      state: 'failed',
      tries: 1,
      next_at: now - DAY,
      errcode: 84061,
      error: keptWords(faultOfCode(84061).text),
      asked_by: people[0]!.id,
      done_at: now - DAY,
      created_at: now - DAY,
    },
  ])
}

/** After members, who are found by their unionid. */
export const demo: readonly DemoStep[] = [
  { place: 152, branch: 'wecom', title: '企业微信 / WeCom', run: seed },
]
