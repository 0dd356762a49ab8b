import { and, asc, desc, eq, gt, inArray, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import { systemName } from '#src/areas/log/logs.ts'
import { filterText } from '#src/areas/log/words.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { freezeOrder } from '#src/areas/order/freeze.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { orderKinds, orderStatuses, statusWords } from '#src/areas/order/order.ts'
import { canFreeze } from '#src/areas/order/orderVerbs.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { blackOf } from '#src/areas/risk/blacklisting.server.ts'
import {
  byId,
  changeHit,
  claimHit,
  countTabs,
  decideHit,
  given,
  hitInTab,
  hitLabel,
  hitsMatching,
  ordersSeen,
  readHit,
  shownHits,
  whyNot,
  type HitFilters,
} from '#src/areas/risk/hits.server.ts'
import {
  dryRun,
  hitsByDay,
  hitsOf,
  ownDevices,
  runRules,
  type Hit,
} from '#src/areas/risk/risk.server.ts'
import { risk_hit, risk_list, risk_rule } from '#src/areas/risk/risk.table.ts'
import {
  listTypes,
  riskActions,
  riskLevels,
  riskLists,
  riskMetrics,
  riskScenes,
  riskStates,
  ruleText,
  valueText,
  type ListType,
  type RiskList,
  type RiskScene,
} from '#src/areas/risk/risk.ts'
import {
  disableRule,
  editRule,
  enableRule,
  readRule,
  RULE_DAYS,
  ruleWords,
  shownRules,
  soundRule,
} from '#src/areas/risk/rules.server.ts'
import { masked } from '#src/domain/mask.ts'
import { mobileOf, phoneFault } from '#src/domain/phone.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import { DAY, timeFull } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { conflict, invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { staleRow } from '#src/server/call/versions.ts'
import { like } from '#src/server/db/like.ts'
import { countOf, exactCount, listed, pageOf } from '#src/server/db/paging.ts'
import {
  EXPORT_MAX_ROWS,
  defineExport,
  startExport,
  chosenRows,
  type Chosen,
} from '#src/server/exports/exports.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { onSessionEnd } from '#src/server/sessions/sessions.ts'
import { hitTabs, risk } from '../contract/risk.ts'

const RELATED_DAYS = 30
const RELATED_MAX = 100
const accountStates = {
  normal: ['正常', 'Normal'],
  muted: ['已禁言', 'Muted'],
  banned: ['已封禁', 'Banned'],
  canceling: ['注销中', 'Leaving'],
  canceled: ['已注销', 'Left'],
  merged: ['已合并', 'Merged'],
} as const satisfies Record<string, Text>
type Tab = (typeof hitTabs)[number]
/**
 * Orders that belong to a hit: those the rule counted, and the same member's or device's of the
 * last month.
 */
const relatedWhere = (hit: Hit, staff: Staff): SQL | undefined =>
  and(
    ordersSeen(staff),
    or(
      hit.order_ids.length ? inArray(order.id, hit.order_ids) : undefined,
      hit.member_id === null
        ? undefined
        : and(
            eq(order.member_id, hit.member_id),
            gt(order.created_at, hit.hit_at - RELATED_DAYS * DAY),
          ),
      hit.device_id === null
        ? undefined
        : and(
            eq(order.device_id, hit.device_id),
            gt(order.created_at, hit.hit_at - RELATED_DAYS * DAY),
          ),
      sql`false`,
    ),
  )
const counted = (hit: Hit) => sql`${order.id} = any(${sql.param(hit.order_ids)}::int[])`
/** One who signs out keeps nobody waiting. */
onSessionEnd(async ({ tx, admin_id, now, last }) => {
  if (last)
    await tx
      .update(risk_hit)
      .set({
        state: 'open',
        claimed_by: null,
        claim_until: null,
        version: sql`${risk_hit.version} + 1`,
        updated_at: now,
      })
      .where(and(eq(risk_hit.state, 'claimed'), eq(risk_hit.claimed_by, admin_id)))
})

const filterNames = () =>
  ({
    state: {
      title: ['状态', 'State'],
      kind: 'enum',
      options: {
        waiting: ['待处理', 'Waiting'],
        mine: ['我领取的', 'Mine'],
        all: ['全部', 'All'],
        ...riskStates,
      },
    },
    scene: { title: ['场景', 'Scene'], kind: 'enum', options: riskScenes },
    level: { title: ['等级', 'Level'], kind: 'enum', options: riskLevels },
    rule_id: { title: ['规则编号', 'Rule'], kind: 'number' },
    decided_by: { title: ['处理人', 'Decided by'], kind: 'name', of: 'admin' },
    city_id: { title: ['城市', 'City'], kind: 'name', of: 'city' },
  }) as const
const exportWhere = (filters: Record<string, unknown>, staff: Staff) => {
  const { state, now, ids, ...rest } = filters as HitFilters & Chosen & { state: Tab; now: number }
  return and(
    hitInTab(state, staff.id, now),
    hitsMatching(rest, staff),
    chosenRows(risk_hit.id, { ids }),
  )
}
defineExport('system.risk', {
  title: ['风险命中', 'Risk hits'],
  permit: 'system.risk.export',
  filters: filterNames,
  columns: [
    { key: 'id', title: ['编号', 'ID'], kind: 'number' },
    { key: 'hit_at', title: ['命中时间', 'Hit at'], kind: 'time' },
    { key: 'rule_name', title: ['规则', 'Rule'] },
    { key: 'scene', title: ['场景', 'Scene'] },
    { key: 'score', title: ['风险分', 'Score'], kind: 'number' },
    { key: 'level', title: ['等级', 'Level'] },
    { key: 'action', title: ['规则动作', 'Action'] },
    { key: 'member_id', title: ['会员编号', 'Member ID'], kind: 'number' },
    { key: 'nickname', title: ['会员', 'Member'] },
    { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
    { key: 'device_id', title: ['设备', 'Device'] },
    { key: 'city_name', title: ['城市', 'City'] },
    { key: 'store_name', title: ['门店', 'Store'] },
    { key: 'orders', title: ['订单数', 'Orders'], kind: 'number' },
    { key: 'amount_cents', title: ['金额', 'Amount'], kind: 'money' },
    { key: 'frozen', title: ['冻结订单', 'Frozen'], kind: 'number' },
    { key: 'merged_count', title: ['合并次数', 'Merged'], kind: 'number' },
    { key: 'note', title: ['说明', 'Note'] },
    { key: 'state', title: ['状态', 'State'] },
    { key: 'decider_name', title: ['处理人', 'Decided by'] },
    { key: 'decided_at', title: ['处理时间', 'Decided'], kind: 'time' },
    { key: 'reason', title: ['原因', 'Reason'] },
  ],
  count: ({ db, staff, filters }) =>
    exactCount(db, risk_hit, exportWhere(filters, staff), EXPORT_MAX_ROWS),
  rows: async ({ db, staff, filters, after, limit }) => {
    const rows = await db
      .select()
      .from(risk_hit)
      .where(
        and(
          exportWhere(filters, staff),
          after === undefined ? undefined : sql`${risk_hit.id} > ${after}`,
        ),
      )
      .orderBy(asc(risk_hit.id))
      .limit(limit)
    const { lang } = staff
    return {
      rows: (await shownHits(db, rows, { staff, now: Number(filters['now']) })).map(row => ({
        ...row,
        scene: say(riskScenes[row.scene], lang),
        level: say(riskLevels[row.level], lang),
        action: row.action && say(riskActions[row.action], lang),
        state: say(riskStates[row.state], lang),
      })),
      next: rows.length < limit ? undefined : rows.at(-1)!.id,
    }
  },
})

/** A value as it is kept and compared. */
const listValue = async (
  tx: Db,
  type: 'member' | 'phone' | 'device',
  typed: string,
  lang: Lang,
): Promise<string> => {
  const value = typed
    .normalize('NFKC')
    .trim()
    .replace(type === 'member' ? /^#/ : /^$/, '')
  const refuse = (text: Text) => invalid({ value: say(text, lang) })
  if (type === 'phone') {
    const fault = phoneFault(value)
    if (fault) throw refuse(fault)
    return mobileOf(value)!
  }
  if (type === 'device' && !/^[\w.:-]{4,40}$/.test(value))
    throw refuse([
      '设备编号为 4–40 位字母、数字、横线',
      'A device is 4–40 letters, digits and hyphens',
    ])
  if (type === 'member') {
    const [found] = /^\d{1,9}$/.test(value)
      ? await tx
          .select({ id: member.id })
          .from(member)
          .where(eq(member.id, Number(value)))
      : []
    if (!found)
      throw refuse(['没有这个会员，请填写会员编号', 'No such member: write the member’s number'])
    return String(found.id)
  }
  return value
}
const stands = (now: number) =>
  and(eq(risk_list.status, 'on'), or(isNull(risk_list.until_at), gt(risk_list.until_at, now)))
const entryWords = (of: { type: ListType; value: string }) =>
  of.type === 'phone' ? { phone: of.value } : { value: of.value }
const entryLabel = (of: { type: ListType; value: string }) =>
  `${listTypes[of.type][0]} ${of.type === 'phone' ? masked('phone', of.value) : of.value}`
type Entry = {
  type: 'member' | 'phone' | 'device'
  value: string
  until?: number | undefined
  permanent: boolean
  reason: string
}
const addEntry = async ({ tx, staff, now, log }: WriteContext, list: RiskList, input: Entry) => {
  const { lang } = staff
  if (input.permanent === (input.until !== undefined))
    throw invalid({
      until: say(
        ['请填写截止时间，或明确选择永久', 'Give an end, or say that it is for good'],
        lang,
      ),
    })
  if (input.until !== undefined && input.until <= now)
    throw invalid({ until: say(['截止时间须晚于现在', 'The end must lie ahead'], lang) })
  const value = await listValue(tx, input.type, input.value, lang)
  // Black and white of one value wait for each other, so that it never stands on both.
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtext(${`risk_list:${input.type}:${value}`}))`,
  )
  const [there] = await tx
    .select({ list: risk_list.list, who: admin.name, at: risk_list.created_at })
    .from(risk_list)
    .leftJoin(admin, eq(admin.id, risk_list.admin_id))
    .where(and(eq(risk_list.type, input.type), eq(risk_list.value, value), stands(now)))
    .orderBy(sql`${risk_list.list} = ${list}`)
    .limit(1)
  if (there)
    throw ruled(
      there.list === list ? 'listed' : 'listed_other',
      there.list === list
        ? ['已在{list}中（{who} {when} 加入）', 'On the {list} already ({who}, {when})']
        : [
            '在{list}中（{who} {when} 加入），请先移出再加入另一名单',
            'On the {list} ({who}, {when}): take it off first',
          ],
      {
        list: say(riskLists[there.list], lang),
        who: there.who ?? systemName,
        when: dateShort(there.at),
      },
    )
  if (list === 'white') {
    const [me] = await tx.select({ phone: admin.phone }).from(admin).where(eq(admin.id, staff.id))
    const own = me?.phone ?? null
    const [mine] =
      own === null || input.type !== 'member'
        ? []
        : await tx
            .select({ id: member.id })
            .from(member)
            .where(and(eq(member.id, Number(value)), eq(member.phone, own)))
    if (
      own !== null &&
      (mine ||
        (input.type === 'phone' && value === own) ||
        (input.type === 'device' && (await ownDevices(tx, own)).includes(value)))
    )
      throw invalid({
        value: say(
          [
            '不能把自己的手机号、设备或账号加入白名单，请由同事操作',
            'Not your own phone, device or account: let a colleague do it',
          ],
          lang,
        ),
      })
  }
  // One that ran out leaves its place to the new one.
  await tx
    .update(risk_list)
    .set({ status: 'removed', version: sql`${risk_list.version} + 1` })
    .where(
      and(
        eq(risk_list.list, list),
        eq(risk_list.type, input.type),
        eq(risk_list.value, value),
        eq(risk_list.scene, 'all'),
        eq(risk_list.status, 'on'),
      ),
    )
  const [made] = await tx
    .insert(risk_list)
    .values({
      list,
      type: input.type,
      value,
      until_at: input.until ?? null,
      reason: input.reason,
      admin_id: staff.id,
      created_at: now,
      updated_at: now,
    })
    .returning()
  log({
    object_type: 'risk_list',
    object_id: made!.id,
    object_label: entryLabel(made!),
    before: null,
    after: { list, type: input.type, ...entryWords(made!), until_at: made!.until_at },
    reason: input.reason,
  })
  return { id: made!.id, until_at: made!.until_at }
}
const dateShort = (at: number) => timeFull(at).slice(0, 16)
const listFor = (row: typeof risk_list.$inferSelect, now: number): 'on' | 'over' | 'removed' => {
  if (row.status === 'removed') return 'removed'
  return row.until_at !== null && row.until_at <= now ? 'over' : 'on'
}
/** What a list holds as its title shows it: phones and cards masked. */
const shownValue = ({ type, value }: typeof risk_list.$inferSelect): string => {
  if (type === 'phone') return masked('phone', value)
  return type === 'card' ? masked('bank', value) : value
}

export default implement(risk, {
  lst: async ({ state, sort, page, pageSize, ...filters }, { db, staff, now }) => {
    const where = and(hitInTab(state, staff.id, now), hitsMatching(filters, staff))
    const rows = await pageOf(db, risk_hit, {
      where,
      by: sort === 'score' && state !== 'all' ? risk_hit.score : risk_hit.hit_at,
      down: true,
      page,
      pageSize,
      reader: `${staff.id}|risk|${state}|${sort}|${JSON.stringify(filters)}`,
    })
    return listed({ page, pageSize }, rows, shownHits(db, rows, { staff, now }), () =>
      countOf(db, risk_hit, where),
    )
  },
  counts: (filters, { db, staff, now }) =>
    countTabs(db, hitsMatching(filters, staff), staff.id, now),
  detail: async ({ id }, { db, staff, now }) => {
    const hit = await readHit(db, id, staff)
    const [row] = await shownHits(db, [hit], { staff, now })
    const rule = hit.rule_id === null ? undefined : await readRule(db, hit.rule_id)
    const orders = await db
      .select()
      .from(order)
      .where(relatedWhere(hit, staff))
      .orderBy(desc(counted(hit)), desc(order.created_at), desc(order.id))
      .limit(RELATED_MAX)
    const ids = orders.map(one => one.id)
    const titles = new Map(
      (ids.length
        ? await db
            .select({ id: order_item.order_id, title: sql<string>`min(${order_item.title})` })
            .from(order_item)
            .where(inArray(order_item.order_id, ids))
            .groupBy(order_item.order_id)
        : []
      ).map(one => [one.id, one.title]),
    )
    const shops = byId(
      ids.length
        ? await db
            .select({ id: store.id, name: store.name })
            .from(store)
            .where(inArray(store.id, given(orders.map(one => one.store_id))))
        : [],
    )
    const people = given([hit.member_id, ...orders.map(one => one.member_id)])
    const members = people.length
      ? await db.select().from(member).where(inArray(member.id, people))
      : []
    const devices = [
      ...new Set(
        [hit.device_id, ...orders.map(one => one.device_id)].filter(device => device !== null),
      ),
    ]
    const black = await blackOf(
      db,
      members.map(one => ({ id: one.id, phone: one.phone })),
      now,
    )
    const badDevices = new Set(
      (devices.length
        ? await db
            .select({ value: risk_list.value })
            .from(risk_list)
            .where(
              and(
                eq(risk_list.list, 'black'),
                eq(risk_list.type, 'device'),
                inArray(risk_list.value, devices),
                stands(now),
              ),
            )
        : []
      ).map(one => one.value),
    )
    const earlier =
      hit.member_id === null
        ? []
        : await db
            .select()
            .from(risk_hit)
            .where(
              and(eq(risk_hit.member_id, hit.member_id), ne(risk_hit.id, id), hitsOf(staff.scope)),
            )
            .orderBy(desc(risk_hit.hit_at))
            .limit(10)
    return {
      row: row!,
      says: rule ? say(ruleText(rule), staff.lang) : null,
      measured:
        hit.rule in riskMetrics ? valueText(hit.rule as keyof typeof riskMetrics, hit.value) : '',
      orders: orders.map(one => {
        const may = canFreeze(one)
        return {
          id: one.id,
          order_no: one.order_no,
          kind: say(orderKinds[one.kind], staff.lang),
          status: say(statusWords(one), staff.lang),
          at: one.created_at,
          pay_cents: one.pay_cents,
          title: titles.get(one.id) ?? '',
          store_name: shops.get(one.store_id)?.name ?? '',
          member_id: one.member_id,
          device_id: one.device_id,
          counted: hit.order_ids.includes(one.id),
          held: one.frozen && one.freeze_hit_id === id,
          can_freeze: may === true,
          why_not: may === true ? null : say(may, staff.lang),
        }
      }),
      members: members.map(one => ({
        id: one.id,
        nickname: one.nickname,
        phone: one.phone,
        register_at: one.register_at,
        account_state: say(accountStates[one.account_state], staff.lang),
        orders: orders.filter(each => each.member_id === one.id).length,
        black: black.has(one.id),
        devices: [
          ...new Set(
            orders.flatMap(each =>
              each.member_id === one.id && each.device_id !== null ? [each.device_id] : [],
            ),
          ),
        ],
      })),
      devices: devices.map(device_id => ({
        device_id,
        orders: orders.filter(one => one.device_id === device_id).length,
        members: new Set(
          orders.flatMap(one =>
            one.device_id === device_id && one.member_id !== null ? [one.member_id] : [],
          ),
        ).size,
        black: badDevices.has(device_id),
      })),
      earlier: (await shownHits(db, earlier, { staff, now })).map(
        ({ id: each, rule_name, state, score, hit_at }) => ({
          id: each,
          rule_name,
          state,
          score,
          hit_at,
        }),
      ),
    }
  },
  freezable: async ({ id, keyword, page, pageSize }, { db, staff }) => {
    const hit = await readHit(db, id, staff)
    const rows = (
      await db
        .select()
        .from(order)
        .where(
          and(
            relatedWhere(hit, staff),
            keyword ? sql`${order.order_no} ilike ${like(keyword)}` : undefined,
          ),
        )
        .orderBy(desc(counted(hit)), desc(order.created_at), desc(order.id))
        .limit(RELATED_MAX)
    ).filter(one => canFreeze(one) === true)
    const list = rows.slice((page - 1) * pageSize, page * pageSize)
    const titles = new Map(
      (list.length
        ? await db
            .select({ id: order_item.order_id, title: sql<string>`min(${order_item.title})` })
            .from(order_item)
            .where(
              inArray(
                order_item.order_id,
                list.map(one => one.id),
              ),
            )
            .groupBy(order_item.order_id)
        : []
      ).map(one => [one.id, one.title]),
    )
    return {
      list: list.map(one => ({
        id: one.id,
        order_no: one.order_no,
        title: titles.get(one.id) ?? '',
        pay_cents: one.pay_cents,
      })),
      total: rows.length,
    }
  },
  claim: ({ id }, context) => claimHit(context, id),
  release: async (input, context) => {
    const { hit, unfrozen, codes } = await decideHit(context, 'release', input)
    const n = unfrozen.length + codes.length
    return { id: hit.id, version: hit.version, state: hit.state, unfrozen: n }
  },
  confirm: async (input, context) => {
    const { hit } = await decideHit(context, 'confirm', input)
    return { id: hit.id, version: hit.version, state: hit.state }
  },
  freezeOrders: async ({ id, version, order_ids, reason }, context) => {
    const { tx, staff, now, log } = context
    const hit = await readHit(tx, id, staff, true)
    const refusal = await whyNot(context, 'freezeOrders', hit, version)
    if (refusal) throw refusal
    const mine = new Set(
      (
        await tx
          .select({ id: order.id })
          .from(order)
          .where(and(relatedWhere(hit, staff), inArray(order.id, [...order_ids])))
      ).map(one => one.id),
    )
    const result = await eachRow(context, order_ids, async (row, order_id) => {
      if (!mine.has(order_id))
        throw ruled('unrelated', [
          '订单与此命中无关，或不在你的数据范围内',
          'Not an order of this hit, or outside your data',
        ])
      const held = await freezeOrder(row.tx, {
        order_id,
        by: 'risk',
        actor: { type: 'staff', id: staff.id },
        reason,
        hit_id: id,
        now,
      })
      log({
        object_type: 'order',
        object_id: order_id,
        object_label: held.order_no,
        before: { frozen: false },
        after: { frozen: true, freeze_reason: reason, status: held.status },
        reason,
      })
    })
    if (result.ok.length > 0) {
      await changeHit(context, 'freezeOrders', hit, { froze: [...hit.froze, ...result.ok] })
      log({
        object_type: 'risk_hit',
        object_id: id,
        object_label: hitLabel(hit),
        before: { froze: hit.froze.length },
        after: { froze: hit.froze.length + result.ok.length },
        reason,
      })
    }
    return result
  },
  batchRelease: ({ ids, reason }, context) =>
    eachRow(context, ids, (row, id) =>
      decideHit(row, 'release', { id, version: undefined, reason }),
    ),
  export: async ({ format, columns, ...asked }, context) => {
    const filters = { ...asked, now: context.now }
    const rows_expected = await exactCount(
      context.tx,
      risk_hit,
      exportWhere(filters, context.staff),
      EXPORT_MAX_ROWS,
    )
    return startExport(context, {
      page: 'system.risk',
      filters,
      filters_text: await filterText(context.tx, context.staff, asked, filterNames()),
      rows_expected,
      format,
      columns,
      same: asked,
    })
  },

  rules: async ({ keyword, scene, action, status, page, pageSize }, { db, staff, now }) => {
    const where = and(
      keyword ? sql`${risk_rule.name} ilike ${like(keyword)}` : undefined,
      scene && eq(risk_rule.scene, scene),
      action && eq(risk_rule.action, action),
      status && eq(risk_rule.status, status),
    )
    const rows = await db
      .select()
      .from(risk_rule)
      .where(where)
      .orderBy(asc(risk_rule.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const list = await shownRules(db, rows, { staff, now })
    return { list, ...(await countOf(db, risk_rule, where)) }
  },
  ruleDays: async ({ rule_id }, { db, staff, now }) => {
    await readRule(db, rule_id)
    return { days: await hitsByDay(db, staff.scope, { rule_id, days: RULE_DAYS }, now) }
  },
  ruleNames: async ({ keyword, page, pageSize }, { db }) => {
    const where = keyword ? sql`${risk_rule.name} ilike ${like(keyword)}` : undefined
    return {
      list: await db
        .select({ id: risk_rule.id, name: risk_rule.name })
        .from(risk_rule)
        .where(where)
        .orderBy(asc(risk_rule.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize),
      ...(await countOf(db, risk_rule, where)),
    }
  },
  createRule: async (input, { tx, staff, log, now }) => {
    const [rule] = await tx
      .insert(risk_rule)
      .values({ ...(await soundRule(tx, input, staff.lang)), created_at: now, updated_at: now })
      .returning()
    log({
      object_type: 'risk_rule',
      object_id: rule!.id,
      object_label: rule!.name,
      before: null,
      after: ruleWords(rule!),
    })
    return { id: rule!.id, version: rule!.version, status: rule!.status }
  },
  editRule: (input, context) => editRule(context, input),
  dryRun: async ({ rule_id, days }, { tx, staff, now, log }) => {
    const rule = await readRule(tx, rule_id)
    const { sample, ...found } = await dryRun(tx, rule, days, now)
    const [after] = await tx
      .update(risk_rule)
      .set({ dry_run_at: now, dry_run_result: found, version: rule.version + 1, updated_at: now })
      .where(and(eq(risk_rule.id, rule_id), eq(risk_rule.version, rule.version)))
      .returning()
    if (!after)
      throw conflict(
        ['规则在试跑期间被修改，请重新试跑', 'The rule changed during the run: run it again'],
        {},
        ruleWords(await readRule(tx, rule_id)),
      )
    log({
      object_type: 'risk_rule',
      object_id: rule_id,
      object_label: rule.name,
      before: null,
      after: {
        dry_run_days: days,
        dry_run_orders: found.orders,
        dry_run_amount_cents: found.amount_cents,
      },
    })
    const orders = sample.length
      ? await tx
          .select({
            id: order.id,
            order_no: order.order_no,
            status: order.status,
            pay_cents: order.pay_cents,
          })
          .from(order)
          .where(and(inArray(order.id, sample), ordersSeen(staff)))
          .orderBy(desc(order.created_at))
      : []
    const { from: _, to: __, ...figures } = found
    return {
      id: rule_id,
      version: after.version,
      ...figures,
      sample: orders.map(one => ({ ...one, status: say(orderStatuses[one.status], staff.lang) })),
    }
  },
  enableRule: (one, context) => enableRule(context, one),
  disableRule: (one, context) => disableRule(context, one),

  lists: async ({ keyword, list, type, status, page, pageSize }, { db, staff, now }) => {
    const typed = keyword?.normalize('NFKC').replace(/^#/, '')
    const where = and(
      list && eq(risk_list.list, list),
      type && eq(risk_list.type, type),
      // Named all, as the index begins with the type.
      typed && !type ? inArray(risk_list.type, Object.keys(listTypes) as ListType[]) : undefined,
      typed ? eq(risk_list.value, typed) : undefined,
      status === 'on'
        ? stands(now)
        : sql`not (${risk_list.status} = 'on' and coalesce(${risk_list.until_at} > ${now}, true))`,
    )
    const rows = await pageOf(db, risk_list, {
      where,
      by: risk_list.id,
      down: true,
      page,
      pageSize,
      reader: `${staff.id}|risk_list|${list}|${type}|${status}|${typed}`,
    })
    const members = byId(
      rows.some(row => row.type === 'member')
        ? await db
            .select({ id: member.id, nickname: member.nickname })
            .from(member)
            .where(
              inArray(
                member.id,
                rows.filter(row => row.type === 'member').map(row => Number(row.value)),
              ),
            )
        : [],
    )
    const people = given(rows.map(row => row.admin_id))
    const names = byId(
      people.length
        ? await db
            .select({ id: admin.id, name: admin.name })
            .from(admin)
            .where(inArray(admin.id, people))
        : [],
    )
    return {
      list: rows.map(row => ({
        kind: 'entry' as const,
        id: row.id,
        title: `${say(riskLists[row.list], staff.lang)} · ${say(listTypes[row.type], staff.lang)} ${shownValue(row)}`,
        list: row.list,
        type: row.type,
        scene:
          row.scene === 'all'
            ? say(['全部', 'All'], staff.lang)
            : say(riskScenes[row.scene as RiskScene] ?? [row.scene, row.scene], staff.lang),
        value: row.type === 'phone' ? null : shownValue(row),
        ...(row.type === 'phone' && { phone: row.value }),
        nickname: row.type === 'member' ? (members.get(Number(row.value))?.nickname ?? null) : null,
        until_at: row.until_at,
        reason: row.reason,
        admin_name: names.get(row.admin_id ?? 0)?.name ?? null,
        created_at: row.created_at,
        status: listFor(row, now),
        version: row.version,
      })),
      ...(await countOf(db, risk_list, where)),
    }
  },
  addBlack: (input, context) => addEntry(context, 'black', input),
  addWhite: (input, context) => addEntry(context, 'white', input),
  removeEntry: async ({ id, version, reason }, { tx, now, log }) => {
    const [row] = await tx.select().from(risk_list).where(eq(risk_list.id, id))
    if (!row) throw missing()
    const [after] = await tx
      .update(risk_list)
      .set({ status: 'removed', version: version + 1, updated_at: now })
      .where(and(eq(risk_list.id, id), eq(risk_list.version, version), eq(risk_list.status, 'on')))
      .returning()
    if (!after)
      throw row.status === 'removed'
        ? ruled('state', ['已移出名单', 'It was taken off already'])
        : await staleRow(tx, 'risk_list', { id, version: row.version })
    log({
      object_type: 'risk_list',
      object_id: id,
      object_label: entryLabel(row),
      before: { list: row.list, ...entryWords(row), status: 'on' },
      after: { list: row.list, ...entryWords(row), status: 'removed' },
      reason,
    })
    return { id, removed: true as const }
  },
})

defineTimer('risk.measure', '*/3 * * * *', async ({ database, log, now }) => {
  const { made, faults } = await runRules(database, now)
  for (const { rule_id, fault } of faults)
    log.error({ rule_id, err: fault }, 'a risk rule could not be measured')
  return made > 0 ? ['risk_hit', 'order'] : []
})
