/** Rules are written: who they are for, what they say, and that no two of them clash. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import { isGiven } from '#src/areas/coupon/claiming.server.ts'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { coupons } from '#src/areas/coupon/couponRecord.server.ts'
import { materialsFault, resolved } from '#src/areas/wecomMaterial/sending.server.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { saidInBoth, say, type Text } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { forbidden, ruled } from '#src/server/call/refuse.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { sameContent } from '#src/server/call/versions.ts'
import { orderSent } from '#src/server/db/sequence.ts'
import { materialIdsIn, type WelcomeAttachment } from './attachment.ts'
import { hoursText, type Hours } from './hours.ts'
import { clashOf } from './resolving.ts'
import { lockWelcomes, rulesOf, welcomes, type Welcome } from './rules.server.ts'
import { sayingFaults } from './saying.ts'
import { wecom_welcome as t, wecom_welcome_content } from './welcome.table.ts'
import {
  welcomeCan,
  WELCOMES_MOST,
  welcomeScopes,
  type WelcomeScope,
  type WelcomeVerb,
} from './welcome.ts'

export type WelcomeInput = {
  name: string
  scope: WelcomeScope
  mall_id: number | null
  department_ids: number[]
  staff_ids: number[]
  priority: number
  hours: Hours[]
  text: string
  attachments: WelcomeAttachment[]
  coupon_id: number | null
}
type One = { id: number; version: number }
type Targets = Pick<WelcomeInput, 'scope' | 'mall_id' | 'department_ids' | 'staff_ids'>

/** Only the targets of its scope are kept. */
const targetsOf = ({ scope, mall_id, department_ids, staff_ids }: Targets): Targets => ({
  scope,
  mall_id: scope === 'department' ? mall_id : null,
  department_ids: scope === 'department' && mall_id === null ? department_ids : [],
  staff_ids: scope === 'staff' ? staff_ids : [],
})
const targetFaults = (of: Targets): Record<string, Text> => {
  if (of.scope === 'staff' && of.staff_ids.length === 0)
    return { staff_ids: ['请选择员工', 'Choose advisers'] }
  if (of.scope === 'department' && of.mall_id === null && of.department_ids.length === 0)
    return { department_ids: ['请选择商场或部门', 'Choose a mall or departments'] }
  return {}
}
/** Rules of the house are for those who see all of it. */
const needHouse = ({ staff }: WriteContext, scope: WelcomeScope): void => {
  if ((scope === 'default' || scope === 'code') && !seesAll(staff.scope)) throw forbidden()
}
const couponFault = async (
  { tx, staff, now }: WriteContext,
  coupon_id: number | null,
): Promise<Text | undefined> => {
  if (coupon_id === null) return undefined
  await coupons.read(tx, staff, coupon_id)
  const [given] = await tx
    .select({ id: coupon.id })
    .from(coupon)
    .where(and(eq(coupon.id, coupon_id), isGiven(now)))
  return given
    ? undefined
    : ['礼券不在发放中，请更换', 'The coupon is not given out: choose another']
}
/** 400 where what is written does not agree, at its field. */
const needSound = async (
  context: WriteContext,
  of: WelcomeInput,
  was?: Pick<Welcome, 'attachments'>,
): Promise<void> => {
  needHouse(context, of.scope)
  const gift = await couponFault(context, of.coupon_id)
  const { tx, now } = context
  const had = materialIdsIn(was?.attachments ?? [])
  const wrong = await materialsFault(tx, materialIdsIn(of.attachments), { now, had })
  // What its materials add counts as its own: WeCom takes one text.
  const { text } = await resolved(tx, of, now)
  faultless(context.staff, {
    ...targetFaults(of),
    ...sayingFaults({ ...of, text }),
    ...(wrong && { attachments: wrong }),
    ...(gift && { coupon_id: gift }),
  })
}
/** 422 where another rule that is on holds for the same people at the same time and priority. */
const refuseClash = async (tx: Db, id: number): Promise<void> => {
  const all = await rulesOf(tx)
  const mine = all.find(rule => rule.id === id)!
  const clash = mine.status === 'enabled' ? clashOf(mine, all) : undefined
  if (!clash) return
  const [zh, en] = hoursText(clash.hours)
  throw ruled(
    'welcome_overlap',
    [
      '与“{name}”（{zh}）适用对象、优先级相同且时段重叠，请调整时段或优先级',
      'It is for the same people as “{name}” ({en}) with the same priority: change one of them',
    ],
    { name: clash.name, zh, en, clash_id: clash.id },
  )
}
const keepContent = (
  { tx, staff, now }: WriteContext,
  { id, content_n, text, attachments, coupon_id }: Welcome,
) =>
  tx.insert(wecom_welcome_content).values({
    welcome_id: id,
    n: content_n,
    text,
    attachments,
    coupon_id,
    created_at: now,
    created_by: staff.id,
  })
/** How a rule stands beside those that lean on it. */
const standingOf = async (tx: Db, row: Welcome) => ({
  ...row,
  versions_n: await tx.$count(t, eq(t.base_id, row.id)),
  codes_n: await tx.$count(
    channel_code,
    and(eq(channel_code.welcome_id, row.id), sql`${channel_code.status} <> 'archived'`),
  ),
})
const heldFor = async (context: WriteContext, verb: WelcomeVerb, one: One): Promise<Welcome> => {
  await lockWelcomes(context.tx)
  const was = await welcomes.held(context, one)
  needHouse(context, was.scope)
  const may = welcomeCan(verb, await standingOf(context.tx, was))
  if (may !== true) throw ruled(`welcome_${verb}`, may)
  return was
}
const hasDefault = async (tx: Db): Promise<boolean> =>
  (await tx.$count(t, eq(t.is_default, true))) > 0
const needHours: Text = [
  '默认欢迎语已存在：请设置时段，或直接编辑原有的默认',
  'There is a default already: give this one hours, or edit that one',
]

const needRoom = async (tx: Db): Promise<void> => {
  if ((await tx.$count(t)) >= WELCOMES_MOST)
    throw ruled('welcomes_full', ['最多 {n} 条欢迎语', 'At most {n} messages'], {
      n: WELCOMES_MOST,
    })
}
/** Makes a rule as a draft; the first default is on at once. */
export const createWelcome = async (context: WriteContext, input: WelcomeInput) => {
  const { tx } = context
  await lockWelcomes(tx)
  await needSound(context, input)
  await needRoom(tx)
  const always = input.scope === 'default' && input.hours.length === 0
  if (always && (await hasDefault(tx))) faultless(context.staff, { hours: needHours })
  const made = await welcomes.add(context, {
    ...input,
    ...targetsOf(input),
    is_default: always,
    status: always ? 'enabled' : 'draft',
  })
  await keepContent(context, made)
  return made
}
export type WindowInput = Pick<
  WelcomeInput,
  'name' | 'hours' | 'text' | 'attachments' | 'coupon_id'
>
/**
 * Gives a rule another message for some hours, which is on where the rule is. It is for the same
 * people with the same priority, and comes before the rule in its hours. 422 where it lies over
 * another one.
 */
export const addWelcomeWindow = async (
  context: WriteContext,
  { id, version, ...said }: WindowInput & One,
) => {
  const base = await heldFor(context, 'addWindow', { id, version })
  const { scope, mall_id, department_ids, staff_ids, priority } = base
  const input = { ...said, scope, mall_id, department_ids, staff_ids, priority }
  await needSound(context, input)
  await needRoom(context.tx)
  const made = await welcomes.add(context, {
    ...input,
    base_id: base.id,
    status: base.status === 'enabled' ? 'enabled' : 'draft',
  })
  await keepContent(context, made)
  await refuseClash(context.tx, made.id)
  return made
}
const targetsChangeFault = async (
  context: WriteContext,
  was: Welcome,
  input: WelcomeInput,
): Promise<Record<string, Text>> => {
  if (was.is_default && input.hours.length > 0)
    return { hours: ['默认欢迎语全天生效', 'The default holds at any time'] }
  const { codes_n, versions_n } = await standingOf(context.tx, was)
  if (versions_n > 0 && input.hours.length > 0)
    return {
      hours: ['有分时段内容的欢迎语须全天生效', 'It has messages for hours: it holds at any time'],
    }
  if (was.base_id !== null && input.hours.length === 0)
    return { hours: ['分时段内容须指定时段', 'A message for some hours needs them'] }
  if (input.scope === was.scope) return {}
  if (was.is_default) return { scope: ['默认欢迎语不能改变适用范围', 'It stays the default'] }
  return codes_n > 0 ? { scope: ['活码正在使用，不能改变适用范围', 'Live codes name it'] } : {}
}
/**
 * Changes a rule: what it says now becomes a version of its own, and what has gone keeps what it
 * was. The messages of its hours follow it to its people and its priority, and keep to them.
 */
export const editWelcome = async (
  context: WriteContext,
  { id, version, ...input }: WelcomeInput & One,
) => {
  const { tx } = context
  await lockWelcomes(tx)
  const was = await welcomes.held(context, { id, version })
  needHouse(context, was.scope)
  const followed = was.base_id === null ? input : was
  const targets = { ...targetsOf(followed), priority: followed.priority }
  const of = { ...input, ...targets }
  faultless(context.staff, await targetsChangeFault(context, was, of))
  await needSound(context, of, was)
  const said = ({ text, attachments, coupon_id }: WelcomeInput | Welcome) => ({
    text,
    attachments,
    coupon_id,
  })
  const isAnew = !sameContent(said(was), said(of))
  const content_n = was.content_n + (isAnew ? 1 : 0)
  const after = await welcomes.save(context, was, { ...of, content_n })
  if (isAnew) await keepContent(context, after)
  const versions = await tx
    .update(t)
    .set({ ...targets, version: sql`${t.version} + 1` })
    .where(eq(t.base_id, id))
    .returning({ id: t.id })
  for (const one of [after, ...versions]) await refuseClash(tx, one.id)
  return after
}
export const enableWelcome = async (context: WriteContext, one: One) => {
  const was = await heldFor(context, 'enable', one)
  const gift = await couponFault(context, was.coupon_id)
  if (gift) throw ruled('welcome_coupon', gift)
  if (was.scope === 'default' && was.hours.length === 0) throw ruled('welcome_default', needHours)
  const after = await welcomes.save(context, was, { status: 'enabled', off_reason: '' })
  await refuseClash(context.tx, after.id)
  return after
}
export const disableWelcome = async (
  context: WriteContext,
  { reason = '', ...one }: One & { reason?: string },
) => {
  const was = await heldFor(context, 'disable', one)
  return welcomes.save(context, was, { status: 'disabled', off_reason: reason }, reason)
}
/** Makes a draft of the same words for the same people. */
export const copyWelcome = async (context: WriteContext, one: One) => {
  await lockWelcomes(context.tx)
  const was = await welcomes.held(context, one)
  needHouse(context, was.scope)
  const { scope, mall_id, department_ids, staff_ids, priority, hours, base_id } = was
  const { text, attachments, coupon_id } = was
  const made = await welcomes.add(context, {
    name: `${[...was.name].slice(0, 38).join('')}副本`,
    scope,
    mall_id,
    department_ids,
    staff_ids,
    priority,
    hours,
    base_id,
    text,
    attachments,
    coupon_id,
    status: 'draft',
  })
  await keepContent(context, made)
  return made
}
export const deleteWelcome = async (
  context: WriteContext,
  { reason, ...one }: One & { reason?: string },
) => welcomes.remove(context, await heldFor(context, 'del', one), reason)

/**
 * The rules of a scope in their order, but the default, which always comes last, and the messages of
 * hours, which stand with their rule.
 */
const scopeOrder = async (db: Db, scope: WelcomeScope) =>
  rulesOf(db, and(eq(t.scope, scope), eq(t.is_default, false), isNull(t.base_id)))
/** The same as they are arranged; for those who see all of the house. */
export const orderOf = async (
  scope: WelcomeScope,
  { db, staff }: { db: Db; staff: WriteContext['staff'] },
) => {
  if (!seesAll(staff.scope)) throw forbidden()
  const list = await scopeOrder(db, scope)
  return { list, list_version: sequenceVersion(list.map(rule => rule.id)) }
}
type Sorting = { scope: WelcomeScope; order: number[]; list_version: number }
/**
 * Puts the rules of a scope into an order: each gets a priority of its own, from 1, and the messages
 * of its hours get the same.
 */
export const sortWelcomes = async (context: WriteContext, { scope, ...sent }: Sorting) => {
  const { tx, staff } = context
  if (!seesAll(staff.scope)) throw forbidden()
  await lockWelcomes(tx)
  const before = (await scopeOrder(tx, scope)).map(rule => rule.id)
  const order = orderSent(sent, before)
  await tx.execute(sql`
    update wecom_welcome set priority = given.at, version = version + 1
    from (select id, at::int as at from unnest(${sql.param(`{${order.join()}}`)}::int[])
      with ordinality as of(id, at)) given
    where given.id = coalesce(wecom_welcome.base_id, wecom_welcome.id) and wecom_welcome.priority <> given.at`)
  context.log({
    object_type: 'wecom_welcome',
    object_id: 0,
    object_label: saidInBoth(lang =>
      say(['{scope}欢迎语顺序', 'Order of welcomes, {scope}'], lang, {
        scope: say(welcomeScopes[scope], lang),
      }),
    ),
    before: { order: before },
    after: { order },
  })
  return { list_version: sequenceVersion(order) }
}
