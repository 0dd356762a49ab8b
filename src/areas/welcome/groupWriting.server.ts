/** Templates of groups are written, given to chats and taken from them; the clock tells WeCom. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import { groups } from '#src/areas/wecom/groupDesk.server.ts'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { wecom_group } from '#src/areas/wecom/wecomGroup.table.ts'
import { pieceKinds, type PieceKind } from '#src/areas/wecomMaterial/piece.ts'
import { materialsFault } from '#src/areas/wecomMaterial/sending.server.ts'
import { joinedNames } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { forbidden, missing, ruled } from '#src/server/call/refuse.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { materialIdsIn, type WelcomeAttachment } from './attachment.ts'
import { chatsOf, templates, type Template } from './groupRows.server.ts'
import {
  wecom_group_welcome,
  wecom_group_welcome_chat as c,
  wecom_group_welcome_notice as n,
} from './groupWelcome.table.ts'
import { templateCan, templateFaults, TEMPLATES_MOST, type TemplateVerb } from './groupWelcome.ts'

const t = wecom_group_welcome
type One = { id: number; version: number }
export type TemplateInput = {
  name: string
  mall_id: number | null
  text: string
  attachment: WelcomeAttachment | null
  notify: boolean
}
/** Changes of who has which template wait for each other. */
const lock = (tx: Db) => lockSequence(tx, 'wecom_group_welcome')
/** Templates of no mall are for those who see all of the house. */
const needHouse = ({ staff }: WriteContext, mall_id: number | null): void => {
  if (mall_id === null && !seesAll(staff.scope)) throw forbidden()
}
const needSound = async (
  context: WriteContext,
  { mall_id, text, attachment }: TemplateInput,
  was?: Template,
): Promise<void> => {
  needHouse(context, mall_id)
  const attachments = attachment ? [attachment] : []
  const had = was?.attachment ? materialIdsIn([was.attachment]) : []
  const { tx, now } = context
  const kinds = Object.keys(pieceKinds) as PieceKind[]
  const wrong = await materialsFault(tx, materialIdsIn(attachments), { now, had, kinds })
  faultless(context.staff, {
    ...templateFaults({ text, attachments }),
    ...(wrong && { attachment: wrong }),
  })
}
/** WeCom counts those that wait to be deleted there, too. */
const needRoom = async (tx: Db): Promise<void> => {
  const had = await tx.$count(t)
  if (had >= TEMPLATES_MOST)
    throw ruled(
      'templates_full',
      [
        '已有 {n} 个模板，企业最多 {most} 个，请先删除不用的',
        'There are {n} of {most}: delete some first',
      ],
      { n: had, most: TEMPLATES_MOST },
    )
}
const stillThere = (of: Template): Template => {
  if (of.gone_at !== null) throw missing()
  return of
}
const held = async (context: WriteContext, one: One): Promise<Template> => {
  await lock(context.tx)
  return stillThere(await templates.heldFast(context, one))
}
const heldFor = async (context: WriteContext, verb: TemplateVerb, one: One) => {
  const was = await held(context, one)
  const chats = await chatsOf(context.tx, [was.id])
  const may = templateCan(verb, { ...was, chats_n: chats.length }, context.now)
  if (may !== true) throw ruled(`template_${verb}`, may)
  return { was, chats }
}
/** It is to be told to WeCom as it stands. */
const toTell = ({ staff, now }: WriteContext) => ({
  work: 'waiting' as const,
  next_at: now,
  tries: 0,
  errcode: 0,
  error: '',
  edited_at: now,
  edited_by: staff.id,
})

/** Makes a template; WeCom hears of it by the clock. 422 where the corp has a hundred. */
export const createTemplate = async (context: WriteContext, input: TemplateInput) => {
  await lock(context.tx)
  await needSound(context, input)
  await needRoom(context.tx)
  return templates.add(context, { ...input, ...toTell(context) })
}
/** Changes a template: whoever joins later gets what it says then. */
export const editTemplate = async (
  context: WriteContext,
  { id, version, ...input }: TemplateInput & One,
) => {
  const was = await held(context, { id, version })
  needHouse(context, was.mall_id)
  await needSound(context, input, was)
  const elsewhere = (await chatsOf(context.tx, [id])).filter(
    chat => input.mall_id !== null && chat.mall_id !== input.mall_id,
  )
  faultless(context.staff, {
    mall_id:
      elsewhere.length > 0
        ? [
            `已应用到其他商场的群：${elsewhere.map(chat => chat.name).join('、')}，请先取消应用`,
            `Groups of other malls have it: ${elsewhere.map(chat => chat.name).join(', ')}`,
          ]
        : undefined,
  })
  return templates.save(context, was, {
    ...input,
    ...toTell(context),
    content_n: was.content_n + 1,
  })
}
/** Makes a template of the same words, which no chat has. */
export const copyTemplate = async (context: WriteContext, one: One) => {
  const was = await held(context, one)
  needHouse(context, was.mall_id)
  await needRoom(context.tx)
  const { mall_id, text, attachment, notify } = was
  const name = `${[...was.name].slice(0, 38).join('')}副本`
  return templates.add(context, { name, mall_id, text, attachment, notify, ...toTell(context) })
}

type Chat = { id: number; name: string; owner_id: number | null }
/** Asks each owner once for all of their chats. */
const remind = async ({ tx, now }: WriteContext, welcome_id: number, chats: readonly Chat[]) => {
  const owners = [...new Set(chats.flatMap(chat => chat.owner_id ?? []))]
  if (owners.length === 0) return 0
  await tx.insert(n).values(
    owners.map(staff_id => ({
      welcome_id,
      staff_id,
      chats: chats.filter(chat => chat.owner_id === staff_id).map(chat => chat.name),
      asked_at: now,
    })),
  )
  return owners.length
}
const namesOf = (chats: readonly { name: string }[]): string =>
  joinedNames(chats.map(chat => chat.name))
/** The chats of a choice, each locked; 422 names the one that can't have the template. */
const needChats = async (context: WriteContext, of: Template, ids: readonly number[]) => {
  const g = wecom_group
  const rows = await context.tx
    .select({ chat: g, able: sql<boolean>`coalesce(${wecom_staff.status} = 'active', false)` })
    .from(g)
    .leftJoin(wecom_staff, eq(wecom_staff.id, g.owner_id))
    .where(and(inArray(g.id, [...ids]), groups.seen(context.staff)))
    .orderBy(g.id)
    .for('update', { of: g })
  if (rows.length < new Set(ids).size) throw missing()
  const refuse = (
    rule: string,
    chat: { name: string } | undefined,
    why: readonly [string, string],
  ) => {
    if (chat) throw ruled(rule, why, { name: chat.name })
  }
  refuse('group_dismissed', rows.find(row => row.chat.status === 'dismissed')?.chat, [
    '“{name}”已解散，不能应用',
    '“{name}” was dismissed',
  ])
  refuse('owner_inactive', rows.find(row => !row.able)?.chat, [
    '“{name}”的群主不在职，请先更换群主',
    'The owner of “{name}” is not in service: change the owner first',
  ])
  refuse(
    'other_mall',
    rows.find(row => of.mall_id !== null && row.chat.mall_id !== of.mall_id)?.chat,
    ['“{name}”不属于这个模板的商场', '“{name}” is not of the template’s mall'],
  )
  return rows.map(row => row.chat)
}
const moveTo = async (context: WriteContext, welcome_id: number, ids: readonly number[]) => {
  const applied_at = context.now
  await context.tx
    .insert(c)
    .values(ids.map(group_id => ({ group_id, welcome_id, applied_at })))
    .onConflictDoUpdate({ target: c.group_id, set: { welcome_id, applied_at } })
}
/** Gives chats a template, instead of the one that they had; answers how many owners are reminded. */
export const applyTemplate = async (
  context: WriteContext,
  { chat_ids, ...one }: One & { chat_ids: readonly number[] },
) => {
  const { was } = await heldFor(context, 'apply', one)
  const chats = await needChats(context, was, chat_ids)
  await moveTo(
    context,
    was.id,
    chats.map(chat => chat.id),
  )
  const reminded = was.notify ? await remind(context, was.id, chats) : 0
  const after = await templates.set(context, was, {})
  templates.log(context, after, { before: null, after: { applied: namesOf(chats) } })
  return { id: after.id, version: after.version, reminded }
}
/** Takes a template from chats that have it. */
export const unapplyTemplate = async (
  context: WriteContext,
  { chat_ids, ...one }: One & { chat_ids: readonly number[] },
) => {
  const { was, chats } = await heldFor(context, 'unapply', one)
  const those = chats.filter(chat => chat_ids.includes(chat.id))
  if (those.length < new Set(chat_ids).size)
    throw ruled('template_elsewhere', [
      '所选的群已不再使用这个模板，请刷新后重选',
      'Some of the groups have it no more: choose again',
    ])
  await context.tx.delete(c).where(
    and(
      eq(c.welcome_id, was.id),
      inArray(
        c.group_id,
        those.map(chat => chat.id),
      ),
    ),
  )
  const after = await templates.set(context, was, {})
  templates.log(context, after, { before: { applied: namesOf(those) }, after: null })
  return after
}
/** Asks the owners of its chats to set it there; at most once in an hour. */
export const notifyOwners = async (context: WriteContext, one: One) => {
  const { was, chats } = await heldFor(context, 'notifyOwner', one)
  const able = chats.filter(chat => chat.owner_able)
  if (able.length === 0)
    throw ruled('owner_inactive', [
      '群主均不在职，请先更换群主',
      'None of the owners is in service: change them first',
    ])
  const reminded = await remind(context, was.id, able)
  const after = await templates.set(context, was, { notified_at: context.now })
  templates.log(context, after, { before: null, after: { reminded: namesOf(able) } })
  return { id: after.id, version: after.version, reminded }
}
const replacementOf = async (context: WriteContext, was: Template, id: number) => {
  const next = stillThere(await templates.read(context.tx, context.staff, id))
  if (next.id === was.id || next.work === 'failed')
    throw ruled('template_replace', [
      '请选择另一个可用的模板',
      'Choose another template that WeCom takes',
    ])
  return next
}
/**
 * Deletes a template: here at once, in WeCom by the clock. Its chats turn to another one, without
 * which one that chats have stays: 422 names them.
 */
export const deleteTemplate = async (
  context: WriteContext,
  { reason, replace_id, ...one }: One & { reason: string; replace_id?: number | undefined },
): Promise<{ id: number; deleted: true }> => {
  const { tx, now } = context
  const was = await held(context, one)
  needHouse(context, was.mall_id)
  const chats = await chatsOf(tx, [was.id])
  if (chats.length > 0 && replace_id === undefined)
    throw ruled(
      'template_applied',
      [
        '{n} 个群正在使用：{names}，请选择替换的模板',
        '{n} groups have it: {names}. Choose what they get instead',
      ],
      { n: chats.length, names: namesOf(chats) },
    )
  if (chats.length > 0) {
    const next = await replacementOf(context, was, replace_id!)
    const those = await needChats(
      context,
      next,
      chats.map(chat => chat.id),
    )
    await moveTo(
      context,
      next.id,
      those.map(chat => chat.id),
    )
  }
  await tx.delete(c).where(eq(c.welcome_id, was.id))
  await templates.set(context, was, { gone_at: now, work: 'waiting', next_at: now, tries: 0 })
  templates.log(context, was, {
    before: { name: was.name, text: was.text },
    after: null,
    reason,
  })
  return { id: was.id, deleted: true }
}
