import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { freezeCodes } from '#src/areas/ecard/codeLife.server.ts'
import { codeLabel } from '#src/areas/ecard/codeLife.ts'
import { ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { blacklist, blackMember } from '#src/areas/risk/blacklisting.server.ts'
import {
  changeHit,
  claimHit,
  countTabs,
  decideHit,
  frozenCardReason,
  type HitFilters,
  hitInTab,
  hitLabel,
  hitsMatching,
  type HitTab,
  readHit,
  shownHits,
  whyNot,
} from '#src/areas/risk/hits.server.ts'
import { hitsOf, type Hit } from '#src/areas/risk/risk.server.ts'
import { risk_hit, risk_rule } from '#src/areas/risk/risk.table.ts'
import {
  metricTitle,
  refundAfterText,
  riskLevels,
  riskMetrics,
  riskStates,
  ruleText,
  valueText,
  type RiskMetric,
} from '#src/areas/risk/risk.ts'
import {
  disableRule,
  editRule,
  enableRule,
  readRule,
  shownRules,
} from '#src/areas/risk/rules.server.ts'
import { yuan } from '#src/domain/money.ts'
import { joined, say, type Lang } from '#src/domain/text.ts'
import { dateOf, timeFull } from '#src/domain/time.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { exporting, listing, record } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { countOf } from '#src/server/db/paging.ts'
import { cardRisk as contract, type CardHitRow } from '../contract/risk.ts'
import { cardsOfHits, cardsWhere, graphOf, refundableOf } from './riskCards.ts'
import { refundOrders } from './riskRefund.ts'

const hits = record(risk_hit, {
  object: 'risk_hit',
  label: hitLabel,
  keys: [],
  places: staff => hitsOf(staff.scope),
})
const ofCards = eq(risk_hit.scene, 'ecard')
type Filters = HitFilters & { state: HitTab }
const list = listing(hits, {
  by: risk_hit.hit_at,
  down: true,
  where: ({ state, ...rest }: Filters, { staff, now }) =>
    and(
      ofCards,
      hitInTab(state, (staff as WriteContext['staff']).id, now),
      hitsMatching(rest, staff as WriteContext['staff']),
    ),
  shown: async (db, rows, asker): Promise<CardHitRow[]> => {
    const seer = { staff: asker.staff as WriteContext['staff'], now: asker.now }
    const cards = await cardsOfHits(db, rows, seer)
    const shown = await shownHits(db, rows, seer)
    return rows.map((hit, at) => ({
      ...shown[at]!,
      ...cards.get(hit.id)!,
      frozen_cards: hit.froze_codes.length,
      report_no: hit.report?.no ?? '',
    }))
  },
})
const isMetric = (rule: string): rule is RiskMetric => Object.hasOwn(riskMetrics, rule)
const measuredOf = ({ rule, value }: Hit): string => (isMetric(rule) ? valueText(rule, value) : '')
/** A hit of the scene that the person sees; 404 of others. */
const hitHere = async (db: Db, id: number, staff: Staff): Promise<Hit> => {
  const hit = await readHit(db, id, staff)
  if (hit.scene !== 'ecard') throw missing()
  return hit
}
/** A hit of the scene that the person holds as it was read, and may still work on. */
const heldFor = async (
  context: WriteContext,
  verb: 'freezeOrders' | 'confirm',
  { id, version }: { id: number; version: number },
): Promise<Hit> => {
  const hit = await readHit(context.tx, id, context.staff, true)
  if (hit.scene !== 'ecard') throw missing()
  const refusal = await whyNot(context, verb, hit, version)
  if (refusal) throw refusal
  return hit
}
const noted = (context: WriteContext, hit: Hit, after: object, reason: string) =>
  context.log({
    object_type: 'risk_hit',
    object_id: hit.id,
    object_label: hitLabel(hit),
    after,
    reason,
  })
/** The facts that were known of a hit at a moment, as lines of text: a report stays as it was made. */
const reportText = (hit: Hit, of: Awaited<ReturnType<typeof graphOf>>, lang: Lang): string =>
  [
    `${say(['命中', 'Hit'], lang)} ${hit.id} · ${say(metricTitle(hit.rule), lang)} · ${hit.score}`,
    hit.note,
    `${say(['涉及金额', 'Amount involved'], lang)} ${yuan(hit.amount_cents)}`,
    ...of.cards.map(card =>
      [
        card.name,
        card.state,
        yuan(card.face_cents),
        yuan(card.balance_cents),
        card.payer,
        card.holder,
        card.store,
      ].join(' | '),
    ),
  ].join('\n')
const reportOf = async (db: Db, { report }: Hit) => {
  if (!report) return null
  const [who] = await db.select({ name: admin.name }).from(admin).where(eq(admin.id, report.by))
  const { no, at, reason, content } = report
  return { no, at, reason, by: who?.name ?? '', text: String(content['text']) }
}
const ruleHere = async (context: WriteContext, id: number) => {
  const rule = await readRule(context.tx, id)
  if (rule.scene !== 'ecard') throw missing()
  return rule
}
const decided = async (
  context: WriteContext,
  verb: 'release' | 'confirm',
  one: { id: number; version: number; reason: string },
) => {
  await hitHere(context.tx, one.id, context.staff)
  const { hit, unfrozen, codes } = await decideHit(context, verb, one)
  return { id: hit.id, version: hit.version, unfrozen: unfrozen.length + codes.length }
}

const handlers = {
  lst: list.page,
  counts: (filters, { db, staff, now }) =>
    countTabs(db, and(ofCards, hitsMatching(filters, staff)), staff.id, now),
  detail: async ({ id }, { db, staff }) => {
    const hit = await hitHere(db, id, staff)
    const rule = hit.rule_id === null ? undefined : await readRule(db, hit.rule_id)
    return {
      says: rule ? say(ruleText(rule), staff.lang) : '',
      measured: measuredOf(hit),
      ...(await graphOf(db, hit, { staff, lang: staff.lang })),
      report: await reportOf(db, hit),
    }
  },
  claim: ({ id }, context) => claimHit(context, id),
  release: (one, context) => decided(context, 'release', one),
  confirm: (one, context) => decided(context, 'confirm', one),
  freezeCards: async ({ code_ids, reason, ...one }, context) => {
    const { tx, staff, now } = context
    const hit = await heldFor(context, 'freezeOrders', one)
    const chosen = code_ids?.length ? inArray(ecard_code.id, code_ids) : undefined
    const where = and(cardsWhere([hit], staff), chosen)!
    const by = { admin_id: staff.id, reason: frozenCardReason(hit.id, reason), now }
    const { done, left } = await freezeCodes(tx, where, by)
    if (done.length === 0)
      throw ruled('nothing_to_freeze', ['没有可冻结的卡', 'No cards can be frozen'])
    const froze_codes = [...new Set([...hit.froze_codes, ...done.map(code => code.id)])]
    const after = await changeHit(context, 'freezeOrders', hit, { froze_codes })
    noted(context, hit, { froze: done.length }, reason)
    for (const code of done)
      context.log({
        object_type: 'ecard_code',
        object_id: code.id,
        object_label: codeLabel(code),
        before: { state: code.before_freeze },
        after: { state: 'frozen' },
        reason,
      })
    return { id: hit.id, version: after.version, frozen: done.length, left: left.length }
  },
  banBuyer: async ({ member_id, days, reason, ...one }, context) => {
    const hit = await heldFor(context, 'freezeOrders', one)
    const { nodes } = await graphOf(context.tx, hit, { staff: context.staff, lang: 'zh' })
    const isHere =
      hit.member_id === member_id ||
      nodes.some(node => [`payer:${member_id}`, `holder:${member_id}`].includes(node.id))
    if (!isHere)
      throw ruled('unrelated', ['会员与此命中无关', 'The member has no part in this hit'])
    const { until_at } = await blackMember(context, member_id, { reason, days })
    return { id: hit.id, version: hit.version, until_at }
  },
  banDevice: async ({ device, reason, ...one }, context) => {
    const hit = await heldFor(context, 'freezeOrders', one)
    if (hit.device_id !== device)
      throw ruled('unrelated', ['设备与此命中无关', 'The device has no part in this hit'])
    const { tx, staff, now, log } = context
    const by = { reason, admin_id: staff.id, now }
    const made = await blacklist(tx, [{ type: 'device', value: device }], by)
    if (made.length === 0)
      throw ruled('listed', ['该设备已在名单中', 'The device is on a list already'])
    for (const entry of made)
      log({
        object_type: 'risk_list',
        object_id: entry.id,
        object_label: joined([`设备 ${device}`, `Device ${device}`]),
        after: { list: 'black', type: 'device', value: device },
        reason,
      })
    return { id: hit.id, version: hit.version }
  },
  refundable: async ({ id, keyword = '', page, pageSize }, { db, staff }) => {
    const hit = await hitHere(db, id, staff)
    const all = [...(await refundableOf(db, hit, staff))].map(([order_id, { order_no }]) => ({
      id: order_id,
      name: order_no,
    }))
    const found = all.filter(one => one.name.includes(keyword))
    return { list: found.slice((page - 1) * pageSize, page * pageSize), total: found.length }
  },
  refundAll: async ({ order_ids, reason, ...one }, context) => {
    const hit = await heldFor(context, 'freezeOrders', one)
    if (hit.state !== 'confirmed') throw ruled('not_confirmed', refundAfterText)
    const { thawed, ok, failed } = await refundOrders(context, hit, { order_ids, reason })
    if (ok.length === 0) return { id: hit.id, version: hit.version, ok, failed }
    const froze_codes = hit.froze_codes.filter(code_id => !thawed.includes(code_id))
    const after = await changeHit(context, 'freezeOrders', hit, { froze_codes })
    noted(context, hit, { refunds_asked: ok.length }, reason)
    return { id: hit.id, version: after.version, ok, failed }
  },
  fileReport: async ({ reason, ...one }, context) => {
    const { tx, staff, now } = context
    const hit = await heldFor(context, 'freezeOrders', one)
    if (hit.report !== null)
      throw ruled('reported', ['已生成报告 {no}', 'It was reported: {no}'], { no: hit.report.no })
    const no = `STR${dateOf(now).replaceAll('-', '')}-${hit.id}`
    const text = reportText(hit, await graphOf(tx, hit, { staff, lang: 'zh' }), 'zh')
    const report = { no, at: now, by: staff.id, reason, content: { text } }
    const [after] = await tx
      .update(risk_hit)
      .set({ report, version: hit.version + 1 })
      .where(and(eq(risk_hit.id, hit.id), isNull(risk_hit.report)))
      .returning()
    noted(context, hit, { report: no }, reason)
    return { id: hit.id, version: after!.version, no }
  },
  export: exporting(list, {
    page: 'ecard.risk',
    title: ['电子卡风险', 'Risk of e-cards'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'hit_at', title: ['命中时间', 'Hit at'], kind: 'time' },
      { key: 'rule_name', title: ['规则', 'Rule'] },
      { key: 'score', title: ['风险分', 'Score'], kind: 'number' },
      { key: 'level', title: ['等级', 'Level'] },
      { key: 'nickname', title: ['会员', 'Member'] },
      { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
      { key: 'device_id', title: ['设备', 'Device'] },
      { key: 'amount_cents', title: ['涉及金额', 'Amount involved'], kind: 'money' },
      { key: 'cards', title: ['卡数', 'Cards'], kind: 'number' },
      { key: 'frozen_cards', title: ['冻结卡数', 'Cards frozen'], kind: 'number' },
      { key: 'note', title: ['说明', 'Note'] },
      { key: 'state', title: ['状态', 'State'] },
      { key: 'decider_name', title: ['处理人', 'Decided by'] },
      { key: 'decided_at', title: ['处理时间', 'Decided'], kind: 'time' },
      { key: 'reason', title: ['原因', 'Reason'] },
      { key: 'report_no', title: ['报告编号', 'Report'] },
    ],
    words: ({ level, from, to }, lang) => [
      level && say(riskLevels[level], lang),
      from !== undefined && timeFull(from),
      to !== undefined && timeFull(to),
    ],
    cells: (row, { lang }) => ({
      ...row,
      phone: row.phone ?? '',
      level: say(riskLevels[row.level], lang),
      state: say(riskStates[row.state], lang),
    }),
  }),
  rules: async ({ page, pageSize }, { db, staff, now }) => {
    const where = eq(risk_rule.scene, 'ecard')
    const rows = await db
      .select()
      .from(risk_rule)
      .where(where)
      .orderBy(asc(risk_rule.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return {
      list: await shownRules(db, rows, { staff, now }),
      ...(await countOf(db, risk_rule, where)),
    }
  },
  saveRule: async ({ id, version, ...set }, context) => {
    const { name, scene, condition } = await ruleHere(context, id)
    return editRule(context, { id, version, name, scene, condition, ...set })
  },
  toggleRule: async ({ reason, ...one }, context) => {
    const { status } = await ruleHere(context, one.id)
    return status === 'on'
      ? disableRule(context, { ...one, reason })
      : enableRule(context, one, reason)
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const cardRiskServer = implement(contract, handlers)
