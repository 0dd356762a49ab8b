import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { base, keys, unix } from '#src/server/db/columns.ts'
import { plainName } from '#src/server/db/names.ts'
import { relationEvents } from './relation.ts'
import { tagStates, type TagRule } from './tagging.ts'
import {
  addWays,
  customerStates,
  customerTypes,
  followStates,
  receiveKinds,
  staffStates,
  stages,
  wecomGenders,
} from './wecom.ts'

/** 企微部门: the directory's tree as it was read last; what the console adds to it is its own. */
export const wecom_department = pgTable(
  'wecom_department',
  {
    ...base,
    dept_id: integer().notNull().unique(),
    parent_id: integer().references((): AnyPgColumn => wecom_department.id),
    name: text().notNull(),
    sort: integer().notNull().default(0),
    /** Leaders as WeCom names them. */
    leader_userids: jsonb().$type<string[]>().notNull().default([]),
    /** Whom the console asks about it. */
    lead_userid: text(),
    receive: text({ enum: keys(receiveKinds) })
      .notNull()
      .default('all'),
    receive_userids: jsonb().$type<string[]>().notNull().default([]),
    is_deleted: boolean().notNull().default(false),
    deleted_at: unix(),
    synced_at: unix().notNull(),
  },
  t => [index('wecom_department_by_parent').on(t.parent_id, t.sort, t.id)],
)
/** 部门绑定商场: of several departments of a mall the smallest number serves it first. */
export const wecom_department_mall = pgTable(
  'wecom_department_mall',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    department_id: integer()
      .notNull()
      .references(() => wecom_department.id),
    mall_id: integer()
      .notNull()
      .references(() => mall.id),
    priority: integer().notNull().default(1),
    created_at: unix().notNull(),
  },
  t => [
    check('wecom_department_mall_priority', sql`${t.priority} between 1 and 9`),
    uniqueIndex('wecom_department_mall_once').on(t.department_id, t.mall_id),
    uniqueIndex('wecom_department_mall_first').on(t.mall_id, t.priority),
  ],
)

/** 企微成员: an adviser, as the directory tells; places come of the departments' malls. */
export const wecom_staff = pgTable(
  'wecom_staff',
  {
    ...base,
    userid: text().notNull().unique(),
    name: text().notNull(),
    avatar: text().notNull().default(''),
    position: text().notNull().default(''),
    department_ids: integer().array().notNull(),
    main_department: integer().notNull(),
    /** The malls of the nearest departments that are bound to some; empty: headquarters. */
    mall_ids: integer().array().notNull().default([]),
    admin_id: integer()
      .references(() => admin.id)
      .unique(),
    status: text({ enum: keys(staffStates) }).notNull(),
    is_verified: boolean().notNull().default(false),
    has_contact_right: boolean().notNull().default(false),
    has_group_right: boolean().notNull().default(false),
    /** Customers that WeCom lets one adviser have. */
    customer_cap: integer().notNull().default(5000),
    /** Customers that are sent to this adviser on one day; null: any number. */
    daily_add_cap: integer(),
    /** Live relations, counted from them. */
    customer_count: integer().notNull().default(0),
    /** The share of chats that customers begin and this one answers; null: never told. */
    reply_rate_bp: integer(),
    /** The adviser's own contact code in WeCom, and the picture of it. */
    code_config_id: text(),
    code_qr: text(),
    left_at: unix(),
    synced_at: unix().notNull(),
  },
  t => [
    check('wecom_staff_count', sql`${t.customer_count} >= 0`),
    index('wecom_staff_by_state').on(t.status, t.id),
    index('wecom_staff_by_department').using('gin', t.department_ids),
    index('wecom_staff_by_mall').using('gin', t.mall_ids),
    index('wecom_staff_by_held').on(t.customer_count, t.id),
  ],
)

/** 企微客户: an outside contact; whether it is followed, by how many, is counted from relations. */
export const wecom_customer = pgTable(
  'wecom_customer',
  {
    ...base,
    external_userid: text().notNull().unique(),
    name: text().notNull(),
    avatar: text().notNull().default(''),
    type: text({ enum: keys(customerTypes) })
      .notNull()
      .default('wechat'),
    gender: text({ enum: keys(wecomGenders) })
      .notNull()
      .default('unknown'),
    corp_name: text().notNull().default(''),
    unionid: text(),
    member_id: integer()
      .references(() => member.id)
      .unique(),
    /** By what the member was found; null: it has none. */
    matched_by: text({ enum: ['unionid', 'hand'] }),
    /** Somebody undid the match: no sync makes it again. */
    match_off: boolean().notNull().default(false),
    /** The member that its unionid means, and that another customer has. */
    clash_member_id: integer().references(() => member.id),
    phone: text().notNull().default(''),
    primary_follow_id: integer(),
    attrs: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    follow_count: integer().notNull().default(0),
    group_count: integer().notNull().default(0),
    first_add_at: unix(),
    /** The last chat that is known of. */
    last_active_at: unix(),
    /** When the last live relation ended. */
    lost_at: unix(),
    state: text({ enum: keys(customerStates) }).notNull(),
    merged_into_id: integer().references((): AnyPgColumn => wecom_customer.id),
    synced_at: unix().notNull(),
  },
  t => [
    check('wecom_customer_counts', sql`${t.follow_count} >= 0 and ${t.group_count} >= 0`),
    check(
      'wecom_customer_state',
      sql`${t.state} = 'merged' or (${t.state} = 'following') = (${t.follow_count} > 0)`,
    ),
    check('wecom_customer_match', sql`(${t.member_id} is null) = (${t.matched_by} is null)`),
    index('wecom_customer_by_name').using('btree', t.name.op('text_pattern_ops')),
    index('wecom_customer_by_union')
      .on(t.unionid)
      .where(sql`unionid is not null`),
    index('wecom_customer_by_phone')
      .on(t.phone)
      .where(sql`phone <> ''`),
    index('wecom_customer_by_state').on(t.state, t.id),
    index('wecom_customer_lost')
      .on(t.lost_at)
      .where(sql`lost_at is not null`),
    index('wecom_customer_unmatched')
      .on(t.id)
      .where(sql`member_id is null`),
    index('wecom_customer_added').on(t.first_add_at, t.id),
    index('wecom_customer_silent').on(t.last_active_at, t.id),
    index('wecom_customer_clash')
      .on(t.clash_member_id)
      .where(sql`clash_member_id is not null`),
    index('wecom_customer_by_target')
      .on(t.merged_into_id)
      .where(sql`merged_into_id is not null`),
  ],
)

/** 客户跟进关系: one adviser and one customer; live once at a time, and a new row when added again. */
export const wecom_follow = pgTable(
  'wecom_follow',
  {
    ...base,
    customer_id: integer()
      .notNull()
      .references(() => wecom_customer.id),
    staff_id: integer()
      .notNull()
      .references(() => wecom_staff.id),
    remark: text().notNull().default(''),
    description: text().notNull().default(''),
    remark_corp_name: text().notNull().default(''),
    remark_phones: jsonb().$type<string[]>().notNull().default([]),
    tag_ids: integer().array().notNull().default([]),
    add_way: text({ enum: keys(addWays) })
      .notNull()
      .default('unknown'),
    oper_userid: text().notNull().default(''),
    source_state: text().notNull().default(''),
    channel_code_id: integer(),
    stage: text({ enum: keys(stages) })
      .notNull()
      .default('new'),
    status: text({ enum: keys(followStates) })
      .notNull()
      .default('following'),
    added_at: unix().notNull(),
    lost_at: unix(),
    /** The run of the customers' sync that told of it last. */
    seen_run: integer(),
    /** The relation that was handed over to make this one. */
    taken_from_id: integer().references((): AnyPgColumn => wecom_follow.id),
  },
  t => [
    check('wecom_follow_lost', sql`(${t.status} = 'following') = (${t.lost_at} is null)`),
    uniqueIndex('wecom_follow_live')
      .on(t.customer_id, t.staff_id)
      .where(sql`status = 'following'`),
    uniqueIndex('wecom_follow_once').on(t.customer_id, t.staff_id, t.added_at),
    index('wecom_follow_by_staff').on(t.staff_id, t.status, t.id),
    index('wecom_follow_added').on(t.added_at),
    index('wecom_follow_changed').on(t.updated_at),
    index('wecom_follow_ended')
      .on(t.lost_at)
      .where(sql`lost_at is not null`),
    index('wecom_follow_by_tag').using('gin', t.tag_ids),
    index('wecom_follow_by_way').on(t.add_way, t.id),
    index('wecom_follow_by_source')
      .on(t.source_state, t.added_at)
      .where(sql`source_state <> ''`),
  ],
)

/** 关系事件: all that is known to have happened between a customer and an adviser, once each. */
export const wecom_follow_event = pgTable(
  'wecom_follow_event',
  {
    customer_id: integer()
      .notNull()
      .references(() => wecom_customer.id),
    staff_id: integer()
      .notNull()
      .references(() => wecom_staff.id),
    kind: text({ enum: relationEvents }).notNull(),
    at: unix().notNull(),
  },
  t => [primaryKey({ columns: [t.customer_id, t.staff_id, t.at, t.kind] })],
)

/** 客户标签组 */
export const wecom_tag_group = pgTable('wecom_tag_group', {
  ...base,
  group_id: text().notNull().unique(),
  name: text().notNull(),
  sort: integer().notNull().default(0),
  status: text({ enum: ['active', 'deleted'] })
    .notNull()
    .default('active'),
})
/** 客户标签: invalid while WeCom knows it no longer. */
export const wecom_tag = pgTable(
  'wecom_tag',
  {
    ...base,
    tag_id: text().notNull().unique(),
    group_id: integer()
      .notNull()
      .references(() => wecom_tag_group.id),
    name: text().notNull(),
    sort: integer().notNull().default(0),
    auto_rule: jsonb().$type<TagRule>(),
    /** Up to when its rule has looked at what happened. */
    rule_seen_at: unix(),
    /** WeCom has two of this name in the group: the later one is shown as a double. */
    twin: boolean().notNull().default(false),
    replaced_by_id: integer().references((): AnyPgColumn => wecom_tag.id),
    status: text({ enum: keys(tagStates) })
      .notNull()
      .default('active'),
  },
  t => [
    uniqueIndex('wecom_tag_name_once')
      .on(t.group_id, plainName(t.name))
      .where(sql`status <> 'deleted' and not twin`),
    index('wecom_tag_by_group').on(t.group_id, t.sort),
  ],
)

/** The malls that a customer's advisers serve. */
const MALLS_OF_CUSTOMER =
  'select unnest(s.mall_ids) from wecom_follow f join wecom_staff s on s.id = f.staff_id' +
  ' where f.customer_id = t.id'
const citiesOf = (malls: string): string => `select m.city_id from mall m where m.id in (${malls})`
const MALLS_OF_DEPARTMENT =
  'select b.mall_id from wecom_department_mall b where b.department_id = t.id'

defineKinds({
  wecom_department: at('wecom_department', {
    cities: citiesOf(MALLS_OF_DEPARTMENT),
    malls: MALLS_OF_DEPARTMENT,
  }),
  wecom_staff: at('wecom_staff', {
    cities: citiesOf('select unnest(t.mall_ids)'),
    malls: 'select unnest(t.mall_ids)',
  }),
  wecom_customer: at('wecom_customer', {
    cities: citiesOf(MALLS_OF_CUSTOMER),
    malls: MALLS_OF_CUSTOMER,
  }),
})
